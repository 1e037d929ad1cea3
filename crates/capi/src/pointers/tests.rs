use super::*;

#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Small {
    struct_size: usize,
    value: u32,
}

// SAFETY: it is `repr(C)`, its first member is a `usize`, and its bytes may be 0.
unsafe impl WithSize for Small {
    const INITIALISER: &'static str = "small";
}

/// What a newer header makes of it.
#[repr(C)]
struct Larger {
    small: Small,
    more: [u8; 40],
}

fn code<T>(done: Result<T, Failure>) -> Code {
    done.map_or_else(|failure| failure.code, |_| Code::OK)
}

/// An address in `place` that is not aligned for a `u32`.
fn unaligned(place: &mut [u32; 2]) -> *mut u32 {
    place.as_mut_ptr().wrapping_byte_add(1)
}

#[test]
fn null_and_what_is_not_aligned_is_refused_before_anything_is_read_or_written() {
    let mut place = [7_u32; 2];
    let (null, crooked) = (std::ptr::null_mut::<u32>(), unaligned(&mut place));
    for (pointer, expected) in [(null, Code::NULL_POINTER), (crooked, Code::BAD_ARGUMENT)] {
        // SAFETY: it is null or not aligned.
        unsafe {
            assert_eq!(code(In::new(pointer.cast_const(), "it").read()), expected);
            assert_eq!(code(Array::new(pointer.cast_const(), 1, "it").read(1)), expected);
            assert_eq!(code(Out::new(pointer, "it").place()), expected);
            assert_eq!(code(Buffer::new(pointer, 1, std::ptr::null_mut()).fill(&[1])), expected);
        }
    }
    // SAFETY: as above.
    unsafe {
        assert_eq!(code(Text::new(std::ptr::null(), "it").read()), Code::NULL_POINTER);
        assert!(Text::new(std::ptr::null(), "it").read_if_there().unwrap().is_none());
        assert!(Out::new(null, "it").place_if_wanted().unwrap().is_none());
        assert_eq!(code(Out::new(crooked, "it").place_if_wanted()), Code::BAD_ARGUMENT);
        assert!(In::new(std::ptr::null::<Small>(), "it").read_sized().unwrap().is_none());
        let crooked_small = std::ptr::without_provenance::<Small>(crooked.addr());
        assert_eq!(code(In::new(crooked_small, "it").read_sized()), Code::BAD_ARGUMENT);
        let text = In::new(null.cast_const(), "board").read().unwrap_err().text;
        assert_eq!(text, "board is NULL: expected a pointer");
    }
    assert_eq!(place, [7, 7]);
}

#[test]
fn what_is_there_is_read_and_written() {
    let (mut answer, values) = (0_u32, [1_u32, 2, 3]);
    // SAFETY: all pointers are to what lives in this function.
    unsafe {
        assert_eq!(In::new(&raw const values[1], "it").read().unwrap(), 2);
        assert_eq!(Array::new(values.as_ptr(), 3, "it").read(3).unwrap(), values);
        assert_eq!(Text::new(c"ab é".as_ptr(), "it").read().unwrap(), "ab é");
        assert_eq!(Text::new(c"".as_ptr(), "it").read().unwrap(), "");
        Out::new(&raw mut answer, "it").place().unwrap().write(9);
    }
    assert_eq!(answer, 9);
}

#[test]
fn an_array_of_another_length_is_not_looked_at() {
    for count in [0, 1, 3, usize::MAX] {
        // SAFETY: an array that is not aligned, or has another length than expected, is not read.
        let array = unsafe { Array::new(std::ptr::dangling::<u8>(), count, "tiles") };
        let failure = array.read(2).unwrap_err();
        assert_eq!((failure.code, failure.text), (Code::BAD_SIZE, format!("tiles has {count} values: expected 2")));
    }
}

#[test]
fn every_sequence_of_two_bytes_is_a_text_or_refused() {
    for first in 1..=255_u8 {
        for second in 0..=255_u8 {
            let bytes = [first, second, 0];
            // SAFETY: the bytes end with a zero.
            let text = unsafe { Text::new(bytes.as_ptr().cast(), "text") };
            let expected = std::ffi::CStr::from_bytes_until_nul(&bytes).unwrap().to_str();
            assert_eq!(text.read().ok(), expected.ok());
            assert_eq!(code(text.read()) == Code::BAD_TEXT, expected.is_err());
        }
    }
}

#[test]
fn a_buffer_is_filled_if_everything_fits_and_is_left_alone_otherwise() {
    for capacity in 0..6 {
        for count in 0..6 {
            let (mut buffer, values, mut needed) = ([0xEE_u8; 8], [1_u8, 2, 3, 4, 5, 6], usize::MAX);
            // SAFETY: there is room for 8 bytes, and for a number.
            let filled = unsafe { Buffer::new(buffer.as_mut_ptr(), capacity, &raw mut needed) }.fill(&values[..count]);
            let fits = count <= capacity;
            assert_eq!(code(filled), if fits { Code::OK } else { Code::SMALL_BUFFER });
            assert_eq!(needed, count);
            let written = if fits { count } else { 0 };
            assert_eq!((&buffer[..written], &buffer[written..]), (&values[..written], &[0xEE; 8][written..]));
        }
    }
    // SAFETY: nothing is written to a buffer without room.
    let nothing = unsafe { Buffer::<u8>::new(std::ptr::null_mut(), 0, std::ptr::null_mut()) };
    assert_eq!((code(nothing.fill(&[])), code(nothing.fill(&[1]))), (Code::OK, Code::SMALL_BUFFER));
}

#[test]
fn a_text_is_written_with_its_zero() {
    fn fill(text: &str) -> (Code, usize, [u8; 4]) {
        let (mut buffer, mut needed) = ([0x55; 4], 0);
        // SAFETY: there is room for 4 bytes, and for a number.
        let filled = unsafe { Buffer::new(buffer.as_mut_ptr(), 4, &raw mut needed) }.fill_text(text);
        (code(filled), needed, buffer.map(|letter: c_char| letter as u8))
    }
    assert_eq!(fill("four"), (Code::SMALL_BUFFER, 5, [0x55; 4]));
    assert_eq!(fill("abc"), (Code::OK, 4, *b"abc\0"));
    assert_eq!(fill(""), (Code::OK, 1, [0, 0x55, 0x55, 0x55]));
}

#[test]
fn a_struct_of_a_newer_header_is_taken_unless_it_asks_for_more() {
    let small = Small { struct_size: size_of::<Larger>(), value: 7 };
    let mut larger = Larger { small, more: [0; 40] };
    let read = |larger: &Larger| {
        // SAFETY: a `Larger` begins with a `Small`, whose size says that there is more.
        unsafe { In::new((&raw const *larger).cast::<Small>(), "options") }.read_sized()
    };
    assert_eq!(read(&larger).unwrap(), Some(small));
    larger.more[39] = 1;
    assert_eq!(read(&larger).unwrap_err().code, Code::BAD_ARGUMENT);
}

#[test]
fn a_struct_that_nobody_has_initialised_is_refused() {
    for struct_size in [0, 1, size_of::<Small>() - 1, LARGEST + 1, usize::MAX] {
        let small = Small { struct_size, value: 7 };
        // SAFETY: it points to a `Small`.
        let failure = unsafe { In::new(&raw const small, "options") }.read_sized().unwrap_err();
        assert_eq!(failure.code, Code::BAD_ARGUMENT);
        let expected = format!("options->struct_size is {struct_size}: expected 16; begin with small()");
        assert_eq!(failure.text, expected);
    }
}

#[test]
fn a_function_of_c_gets_its_data_and_its_answer_comes_back() {
    unsafe extern "C" fn add(data: *mut c_void, progress: *const Progress) -> c_int {
        // SAFETY: the test gives it a number, and whoever calls it a progress.
        unsafe {
            *data.cast::<u64>() += (*progress).nodes;
            *data.cast::<u64>() as c_int
        }
    }
    let mut sum = 1_u64;
    // SAFETY: `add` may be called with a number from any thread.
    let mut callback = unsafe { Callback::new(add, (&raw mut sum).cast()) };
    let progress = Progress { at_least: 3, nodes: 20, seconds: 0.5 };
    assert_eq!((callback.call(&progress), callback.call(&progress)), (21, 41));
    assert_eq!(sum, 41);
}
