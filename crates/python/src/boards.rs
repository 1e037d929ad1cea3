//! Boards as Python gives them: one that looks like a board, or an array of many.

use numpy::ndarray::ArrayView2;
use numpy::{PyArray2, PyArrayDescrMethods, PyArrayMethods, PyReadonlyArray2, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat, PyString};
use tilebase::puzzle::{BoardError, Goal, MAX_SQUARES, ParseError};
use tilebase::{Board, ManyBoards, Size};

use crate::board::PyBoard;
use crate::errors::bad_input;

/// How a value is quoted in a message: cut short, because nobody reads a million numbers.
fn shown(value: &Bound<'_, PyAny>) -> String {
    const MOST: usize = 60;
    let text = value.repr().and_then(|text| Ok(text.to_cow()?.into_owned()));
    let text = text.unwrap_or_else(|_| "something that cannot be shown".to_owned());
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// What a value is, for messages.
fn kind(value: &Bound<'_, PyAny>) -> String {
    // Not by `to_string`, which has Python make a text of a text, and hears signals that nobody handles there.
    let name = value.get_type().name().and_then(|name| Ok(name.to_cow()?.into_owned()));
    name.unwrap_or_else(|_| "object".to_owned())
}

/// Boards of a list between two looks for signals.
const BOARDS_BETWEEN_LOOKS: usize = 256;

const EXPECTED: &str =
    "expected a board: a text such as \"1 2 3 / 4 5 6 / 7 8 0\", rows of numbers, or one list of them";

/// A size: (width, height), or a text such as "3x4".
pub(crate) fn size(value: &Bound<'_, PyAny>) -> PyResult<Size> {
    if let Ok(text) = value.cast::<PyString>() {
        return text.to_cow()?.parse().map_err(|error: tilebase::puzzle::SizeTextError| bad_input(error));
    }
    let sides: Option<[i64; 2]> = value.extract::<Vec<i64>>().ok().and_then(|sides| sides.try_into().ok());
    let [width, height] = sides.ok_or_else(|| {
        bad_input(format!("{} is not a size: expected (width, height), such as (4, 4), or \"4x4\"", shown(value)))
    })?;
    let side = |side: i64| usize::try_from(side).unwrap_or(0);
    Size::new(side(width), side(height)).map_err(bad_input)
}

/// A goal: the name of one, or a board. Boards are of a size, if that is given.
pub(crate) fn goal(value: &Bound<'_, PyAny>, size: Option<Size>) -> PyResult<Board> {
    let Ok(text) = value.cast::<PyString>() else {
        return board(value, size);
    };
    Goal::parse(&text.to_cow()?, size).and_then(|goal| goal.board_of(size)).map_err(bad_input)
}

/// Anything that looks like a board.
pub(crate) fn board(value: &Bound<'_, PyAny>, size: Option<Size>) -> PyResult<Board> {
    if let Ok(board) = value.cast::<PyBoard>() {
        let board = board.get().0;
        return match size {
            Some(size) if size != board.size() => {
                Err(bad_input(format!("expected a board of {size}, but this one is of {}", board.size())))
            }
            _ => Ok(board),
        };
    }
    if let Ok(text) = value.cast::<PyString>() {
        return Board::parse(&text.to_cow()?, size).map_err(|error| not_a_board(&error));
    }
    Board::from_rows(&rows(value)?, size).map_err(|error| not_a_board(&error))
}

/// Why something is no board. How a size is given is said as Python says it.
fn not_a_board(error: &ParseError) -> PyErr {
    match error {
        ParseError::NoSquareCount { found, .. } => bad_input(format!(
            "{found} squares do not make a square board: give a rectangle its rows, or its size as (width, height)"
        )),
        other => bad_input(other),
    }
}

/// The numbers of a list of rows, or of one list, which is a single row.
fn rows(value: &Bound<'_, PyAny>) -> PyResult<Vec<Vec<u64>>> {
    let (mut rows, mut flat) = (Vec::new(), Vec::new());
    for (number, item) in items(value)?.into_iter().enumerate() {
        let is_number = is_number(&item);
        if (is_number && !rows.is_empty()) || (!is_number && !flat.is_empty()) {
            return Err(bad_input(format!("{EXPECTED}; {} has numbers beside rows", shown(value))));
        }
        if is_number {
            flat.push(tile(&item, (0, number))?);
        } else {
            let tiles = items(&item)?.into_iter().enumerate();
            rows.push(tiles.map(|(column, item)| tile(&item, (number, column))).collect::<PyResult<Vec<u64>>>()?);
        }
    }
    if rows.is_empty() && !flat.is_empty() {
        rows.push(flat);
    }
    Ok(rows)
}

/// The items of something that can be gone through, but is no text, and has no more than a board may have.
fn items<'py>(value: &Bound<'py, PyAny>) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let is_list = value.hasattr("__len__")? && value.hasattr("__getitem__")? && !value.hasattr("keys")?;
    if !is_list || value.cast::<PyString>().is_ok() {
        return Err(bad_input(format!("{EXPECTED}; found {} ({})", shown(value), kind(value))));
    }
    let too_many = || bad_input(format!("{EXPECTED} of at most {MAX_SQUARES} squares; found {}", shown(value)));
    let len = value.len().map_err(|_| bad_input(format!("{EXPECTED}; found {}", shown(value))))?;
    if len > MAX_SQUARES {
        return Err(too_many());
    }
    // Something may claim to be shorter than it is.
    let items = value.try_iter().map_err(|_| bad_input(format!("{EXPECTED}; found {}", shown(value))))?;
    let items: Vec<_> = items.take(MAX_SQUARES + 1).collect::<PyResult<_>>()?;
    if items.len() > MAX_SQUARES { Err(too_many()) } else { Ok(items) }
}

/// Whether something is a single number, right or wrong.
fn is_number(value: &Bound<'_, PyAny>) -> bool {
    value.cast::<PyFloat>().is_ok()
        || value.hasattr("__index__").unwrap_or(false) && !value.hasattr("__len__").unwrap_or(true)
        || value.extract::<i128>().is_ok()
}

/// The number of a tile, in this row and column.
fn tile(value: &Bound<'_, PyAny>, (row, column): (usize, usize)) -> PyResult<u64> {
    let place = format!("row {}, column {}", row + 1, column + 1);
    // Those of numpy are not Python's, and older ones pass for numbers.
    let is_bool = value.cast::<PyBool>().is_ok() || kind(value).starts_with("bool");
    let is_whole = !is_bool && value.cast::<PyFloat>().is_err();
    let number = value.extract::<i64>().ok().filter(|_| is_whole);
    match number {
        Some(number) => u64::try_from(number).map_err(|_| {
            bad_input(format!("tile {number} at {place} is negative: expected 0 for the blank, or a tile's number"))
        }),
        None => Err(bad_input(format!(
            "{} at {place} is not a tile: expected a whole number, 0 for the blank",
            shown(value)
        ))),
    }
}

/// An array of boards, a row each, that was given or made from what was.
pub(crate) struct Boards<'py> {
    array: Array<'py>,
    pub(crate) size: Size,
}

/// The types of numbers that a board may have, each read as it is.
macro_rules! types {
    ($($Variant:ident: $number:ty,)+) => {
        enum Array<'py> {
            $($Variant(PyReadonlyArray2<'py, $number>),)+
        }

        /// The rows of an array of boards, to be read without the interpreter.
        pub(crate) enum Rows<'a> {
            $($Variant(ArrayView2<'a, $number>, Size),)+
        }

        impl<'py> Array<'py> {
            /// The array as it is, if its numbers are of any of the types.
            fn of(array: &Bound<'py, PyUntypedArray>) -> Option<Array<'py>> {
                $(if let Ok(array) = array.cast::<PyArray2<$number>>() {
                    return array.try_readonly().ok().map(Array::$Variant);
                })+
                None
            }
        }

        impl Boards<'_> {
            /// How many boards there are.
            pub(crate) fn len(&self) -> usize {
                match &self.array {
                    $(Array::$Variant(array) => array.shape()[0],)+
                }
            }

            /// The rows.
            pub(crate) fn rows(&self) -> Rows<'_> {
                match &self.array {
                    $(Array::$Variant(array) => Rows::$Variant(array.as_array(), self.size),)+
                }
            }
        }

        impl ManyBoards for Rows<'_> {
            type Error = RowError;

            #[inline]
            fn board(&self, number: usize) -> Result<Board, RowError> {
                let mut labels = [0; MAX_SQUARES];
                match self {
                    $(Rows::$Variant(rows, size) => {
                        let labels = &mut labels[..size.count()];
                        for (label, &found) in labels.iter_mut().zip(rows.row(number)) {
                            *label = u64::try_from(found).map_err(|_| RowError::Negative(i128::from(found)))?;
                        }
                        Board::new(*size, labels).map_err(RowError::Board)
                    })+
                }
            }
        }
    };
}

types! { U8: u8, I64: i64, I32: i32, U16: u16, I16: i16, I8: i8, U32: u32, U64: u64, }

/// A row that is not a board.
#[derive(Debug)]
pub(crate) enum RowError {
    Negative(i128),
    Board(BoardError),
}

impl std::fmt::Display for RowError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            RowError::Negative(number) => {
                write!(f, "tile {number} is negative: expected 0 for the blank, or a tile's number")
            }
            RowError::Board(error) => error.fmt(f),
        }
    }
}

/// Many boards: an array of whole numbers with a row for each, or anything that can be gone through and has boards. Their size is
/// `size`, or else the square with as many squares as a row has numbers.
pub(crate) fn boards<'py>(value: &Bound<'py, PyAny>, size: Option<Size>) -> PyResult<Boards<'py>> {
    // What others have as an array, such as a table of pandas or a tensor, is read as numpy sees it.
    let is_foreign =
        value.cast::<PyUntypedArray>().is_err() && value.cast::<PyBoard>().is_err() && value.hasattr("__array__")?;
    let value =
        &if is_foreign { value.py().import("numpy")?.call_method1("asarray", (value,))? } else { value.clone() };
    let Ok(array) = value.cast::<PyUntypedArray>() else { return listed(value, size) };
    let expected = |found: String| {
        let squares = size.map_or("squares".to_owned(), |size| size.count().to_string());
        bad_input(format!("expected an array of whole numbers of the shape (boards, {squares}), found {found}"))
    };
    let shape = || array.shape().iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
    if array.ndim() != 2 {
        let hint = match array.shape() {
            [_] => "; a single board is array.reshape(1, -1)",
            [_, _, _] => "; rows of rows are array.reshape(len(array), -1)",
            _ => "",
        };
        return Err(expected(format!("the shape ({}){hint}", shape())));
    }
    let squares = array.shape()[1];
    let size = match size {
        Some(size) if size.count() == squares => size,
        Some(_) => return Err(expected(format!("the shape ({})", shape()))),
        None => square_size(squares)?,
    };
    let dtype = array.dtype();
    if array.hasattr("mask")? {
        return Err(expected("one with a mask; array.filled(0) or array.data has none".to_owned()));
    }
    if !array.getattr("flags")?.getattr("aligned")?.extract::<bool>()? {
        return Err(expected("one that is not aligned; numpy.ascontiguousarray makes a copy that is".to_owned()));
    }
    let found = Array::of(array).ok_or_else(|| {
        let hint = match dtype.kind() {
            b'f' | b'b' | b'O' => "; array.astype(\"uint8\") makes whole numbers of them, if they are",
            b'i' | b'u' => "; array.astype(\"uint8\") changes their order of bytes",
            _ => "",
        };
        expected(format!("{dtype}{hint}"))
    })?;
    Ok(Boards { array: found, size })
}

/// The size of the square board that has as many squares.
fn square_size(squares: usize) -> PyResult<Size> {
    let side = (2..=5).find(|side| side * side == squares);
    let side = side.ok_or_else(|| {
        bad_input(format!("rows of {squares} numbers are no square boards: give their size, such as size=(3, 4)"))
    })?;
    Size::new(side, side).map_err(bad_input)
}

/// The boards of a list, as an array.
fn listed<'py>(value: &Bound<'py, PyAny>, size: Option<Size>) -> PyResult<Boards<'py>> {
    let expected = || {
        bad_input(format!(
            "expected an array of boards, a row each, or a list of boards; found {} ({})",
            shown(value),
            kind(value)
        ))
    };
    if value.cast::<PyString>().is_ok() || value.cast::<PyBoard>().is_ok() {
        return Err(bad_input(format!("expected many boards, found one: write [board], if {} is one", shown(value))));
    }
    if value.hasattr("keys")? {
        return Err(expected());
    }
    let py = value.py();
    let (mut labels, mut size) = (Vec::new(), size);
    for (number, item) in value.try_iter().map_err(|_| expected())?.enumerate() {
        if number.is_multiple_of(BOARDS_BETWEEN_LOOKS) {
            py.check_signals()?;
        }
        let board = board(&item?, size).map_err(|error| numbered(error, number, py))?;
        size = size.or(Some(board.size()));
        labels.extend_from_slice(board.labels());
    }
    let size = size.ok_or_else(|| bad_input("there are no boards in the list, and no size was given"))?;
    let (squares, count) = (size.count(), labels.len() / size.count());
    let array = numpy::PyArray1::from_vec(value.py(), labels).reshape([count, squares])?;
    Ok(Boards { array: Array::U8(array.readonly()), size })
}

/// Our own errors say which board they are about; those of others, Ctrl-C among them, are handed on.
fn numbered(error: PyErr, number: usize, py: Python<'_>) -> PyErr {
    if !error.get_type(py).is(py.get_type::<PyValueError>()) {
        return error;
    }
    bad_input(format!("{} (board {number})", error.value(py)))
}

/// Room for results: an array of zeros, whose memory Python has, or has not.
pub(crate) fn zeros<'py, T: numpy::Element, D: numpy::ndarray::Dimension>(
    py: Python<'py>,
    shape: &[usize],
) -> PyResult<Bound<'py, numpy::PyArray<T, D>>> {
    let shape = pyo3::types::PyTuple::new(py, shape)?;
    let array = py.import("numpy")?.call_method1("zeros", (shape, T::get_dtype(py)))?;
    Ok(array.cast_into()?)
}
