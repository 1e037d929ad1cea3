//! Connections that break off, stall or are never made, programs that are stopped, and what the next one does.

use std::process::Child;
#[cfg(unix)]
use std::time::{Duration, Instant};

use super::{Asked, FILES, NOBODY, Reply, Server, fetch, fetched, files_in, good, nibble, refused};
#[cfg(unix)]
use crate::common::interrupt;
use crate::common::{Home, Ran, files, slashed};

/// The file that comes, what of it has come when it breaks off, and how the rest is called.
fn packed() -> (&'static [u8], usize, String) {
    let name = format!("{}.zst", nibble());
    let bytes = &FILES[&name];
    (bytes, bytes.len() / 2, format!("{name}.part"))
}

/// A good server whose first answer breaks off in the middle.
fn breaks_off_once(asked: &Asked) -> Reply {
    if asked.is_first_get() { good(asked).cut_after(packed().1) } else { good(asked) }
}

#[test]
fn what_breaks_off_goes_on_from_there() {
    let (home, server) = (Home::new(), Server::new(breaks_off_once));
    let (bytes, half, _) = packed();
    let answer = fetched(&home, &server.address(), &[]);
    assert_eq!((&answer["fetched_bytes"], &answer["resumed_from"]), (&bytes.len().into(), &0.into()));
    assert_eq!(server.gets(), [None, Some(half)]);
    assert_eq!(server.asked().last().unwrap().headers["if-range"], "\"1\"", "only of the same version");
}

#[test]
fn a_table_that_is_not_packed_goes_on_as_well() {
    let name = nibble();
    let unpacked = |asked: &Asked| {
        if asked.file != nibble() && asked.file != "manifest.jsonl" { Reply::missing() } else { good(asked) }
    };
    let server = Server::new(move |asked| match unpacked(asked) {
        reply if asked.is_first_get() => reply.cut_after(100_000),
        reply => reply,
    });
    let answer = fetched(&Home::new(), &server.address(), &[]);
    assert_eq!(answer["fetched_bytes"], FILES[&name].len());
    assert_eq!(server.gets(), [None, Some(100_000)]);
}

#[test]
fn the_next_run_goes_on_where_one_gave_up() {
    let (bytes, half, part) = packed();
    let home = Home::new();
    let server = Server::new(|asked| if asked.is_head() { good(asked) } else { breaks_off_always(asked) });
    let ran = refused(&home, &server.address(), 2, "and the same command goes on from there");
    assert!(slashed(&ran.stderr).contains(&format!("kept in t/{part}")), "{}", ran.stderr);
    assert_eq!(files(&home.join("t")), [&*part]);
    assert!(std::fs::read(home.join("t").join(&part)).unwrap() == bytes[..half]);
    assert_eq!(home.done(&["tables", "list", "--table-dir", "t", "--json"]).stdout.matches(&nibble()).count(), 0);
    drop(server);
    let server = Server::new(good);
    let dry = fetch(&home, &server.address(), &["--dry-run"]).json();
    assert_eq!((&dry["resumed_from"], &dry["to_fetch"]), (&half.into(), &(bytes.len() - half).into()));
    let answer = fetched(&home, &server.address(), &[]);
    assert_eq!((&answer["resumed_from"], &answer["fetched_bytes"]), (&half.into(), &(bytes.len() - half).into()));
    assert_eq!(server.gets(), [Some(half)]);
}

/// Half of the file comes, and nothing more, whatever is asked for.
fn breaks_off_always(asked: &Asked) -> Reply {
    match asked.from() {
        _ if asked.file == "manifest.jsonl" => good(asked),
        None => good(asked).cut_after(packed().1),
        Some(_) => good(asked).cut_after(0),
    }
}

#[test]
fn tries_are_counted() {
    for retries in [0, 2] {
        let server = Server::new(breaks_off_always);
        let home = Home::new();
        assert_eq!(fetch(&home, &server.address(), &["--retries", &retries.to_string()]).code, 2);
        assert_eq!(server.gets().len(), 1 + retries);
    }
}

#[test]
fn a_server_that_sends_only_whole_files_begins_again() {
    let whole = |asked: &Asked| FILES.get(&asked.file).map_or_else(Reply::missing, |bytes| Reply::whole(bytes));
    let server = Server::new(move |asked| match whole(asked) {
        reply if asked.is_first_get() => reply.cut_after(packed().1),
        reply => reply,
    });
    let home = Home::new();
    let answer = fetched(&home, &server.address(), &[]);
    let (bytes, half, _) = packed();
    assert_eq!((&answer["fetched_bytes"], &answer["resumed_from"]), (&(bytes.len() + half).into(), &0.into()));
}

#[test]
fn a_server_that_changes_the_file_meanwhile_gives_the_whole_of_one() {
    // What comes first is of another file: it has other bytes, and another tag.
    fn other(asked: &Asked, tag: &str) -> Reply {
        let mut bytes = packed().0.to_vec();
        bytes.iter_mut().for_each(|byte| *byte ^= 0x55);
        Reply::file(asked, &bytes, tag).cut_after(packed().1)
    }
    let cases: [fn(&Asked) -> Reply; 4] = [
        // It says so, because it is asked for the same version only.
        |asked| if asked.is_first_get() { other(asked, "\"old\"") } else { good(asked) },
        // It sends the rest of the new one, and its tag.
        |asked| match asked.from() {
            Some(from) => Reply::whole(packed().0).with("ETag", "\"1\"").cut_before(from),
            None if asked.is_first_get() => other(asked, "\"old\""),
            None => good(asked),
        },
        // It sends the rest of the new one, and no tag.
        |asked| match asked.from() {
            Some(from) => Reply::whole(packed().0).cut_before(from),
            None if asked.is_first_get() => other(asked, "").without("ETag"),
            None => good(asked).without("ETag"),
        },
        // The new one is shorter than what has come.
        |asked| match asked.from() {
            Some(_) => Reply::new(416, b"").with("Content-Range", "bytes */10"),
            None if asked.is_first_get() => other(asked, "\"old\""),
            None => good(asked),
        },
    ];
    for reply in cases {
        let (home, server) = (Home::new(), Server::new(reply));
        fetched(&home, &server.address(), &[]);
        assert!(server.gets().len() <= 3, "{:?}", server.gets());
    }
}

#[test]
fn parts_that_never_fit_are_asked_for_twice_and_no_more() {
    let server = Server::new(|asked| {
        let wrong = Reply::whole(&vec![7; packed().0.len()]);
        match asked.from() {
            _ if asked.file == "manifest.jsonl" || asked.is_head() => good(asked),
            Some(from) => wrong.cut_before(from),
            None => wrong.cut_after(packed().1),
        }
    });
    let home = Home::new();
    refused(&home, &server.address(), 1, "does not give the table: not a whole zstd file");
    let half = Some(packed().1);
    assert_eq!(server.gets(), [None, half, None, half]);
    assert!(files(home.path()).is_empty());
}

#[test]
fn what_is_left_of_another_file_does_not_matter() {
    let (bytes, half, part) = packed();
    let longer = [bytes, &vec![7; 1_000_000]].concat();
    // Nonsense; nonsense of the right length; more than there can be; all of it; and nothing.
    for left in [&vec![7; half], &vec![7; bytes.len()], &longer, &bytes.to_vec(), &Vec::new()] {
        let (home, server) = (Home::new(), Server::new(good));
        std::fs::create_dir(home.join("t")).unwrap();
        std::fs::write(home.join("t").join(&part), left).unwrap();
        let answer = fetched(&home, &server.address(), &[]);
        let (came, expected) =
            (answer["fetched_bytes"].as_u64().unwrap() as usize, if left == bytes { 0 } else { bytes.len() });
        assert!((expected..expected + half + 1).contains(&came), "{} bytes were left, {came} came", left.len());
        assert_eq!(
            answer["resumed_from"],
            if left == bytes { bytes.len() } else { 0 },
            "what was wrong is no part of it"
        );
    }
}

#[test]
fn a_server_in_trouble_is_asked_again_and_one_that_refuses_is_not() {
    for status in [500, 503, 429] {
        let server =
            Server::new(move |asked| if asked.earlier == 0 { Reply::new(status, b"busy") } else { good(asked) });
        fetched(&Home::new(), &server.address(), &[]);
        let server = Server::new(move |_| Reply::new(status, b"busy"));
        refused(&Home::new(), &server.address(), 2, &format!("the server answers with status {status}"));
        assert_eq!(server.asked().len(), 2, "once more");
    }
    for status in [400, 401, 418] {
        let server = Server::new(move |_| Reply::new(status, b"no"));
        refused(
            &Home::new(),
            &server.address(),
            2,
            &format!("manifest.jsonl: the server answers with status {status}"),
        );
        assert_eq!(server.asked().len(), 1);
    }
    let gone = Server::new(|asked| if asked.is_head() { good(asked) } else { Reply::missing() });
    refused(&Home::new(), &gone.address(), 2, ".nibble.tbl.zst: there is no such file (status 404)");
}

#[test]
fn a_server_that_is_not_there_is_not_waited_for() {
    let home = Home::new();
    refused(&home, NOBODY, 2, &format!("{NOBODY}manifest.jsonl: cannot connect: Connection refused"));
    assert!(files(home.path()).is_empty());
}

#[test]
fn a_server_that_is_silent_is_given_up() {
    let cases: [fn(&Asked) -> Reply; 3] = [
        // At once, in the middle of the manifest, and in the middle of the table.
        |asked| good(asked).without_length().with("X-Never-Ends", "\r\nX: ").stalled_after(0),
        |asked| good(asked).stalled_after(10),
        |asked| {
            if asked.file == "manifest.jsonl" || asked.is_head() { good(asked) } else { good(asked).stalled_after(500) }
        },
    ];
    for reply in cases {
        let (home, server) = (Home::new(), Server::new(reply));
        let ran = fetch(&home, &server.address(), &["--timeout", "200ms", "--retries", "0"]);
        assert!(ran.code == 2 && ran.stderr.contains("nothing came for 0.2 s"), "{}{}", ran.stdout, ran.stderr);
        assert!(files_in(&home.join("t")).iter().all(|name| *name == packed().2));
    }
}

/// A server that sends half of the file and stalls, and the command that waits for the rest.
#[cfg(unix)]
fn waiting(home: &Home) -> (Server, Child) {
    let server =
        Server::new(|asked| if asked.is_first_get() { good(asked).stalled_after(packed().1) } else { good(asked) });
    let name = nibble();
    let child = home.start(&["tables", "fetch", &name, "--from", &server.address(), "--out", "t"]);
    let part = home.join("t").join(packed().2);
    let started = Instant::now();
    while started.elapsed() < Duration::from_secs(20)
        && std::fs::metadata(&part).map_or(0, |data| data.len()) < packed().1 as u64
    {
        std::thread::sleep(Duration::from_millis(5));
    }
    (server, child)
}

#[test]
#[cfg(unix)]
fn ctrl_c_ends_it_at_once_and_leaves_what_has_come() {
    let home = Home::new();
    let (server, child) = waiting(&home);
    let ran = interrupt(child);
    assert_eq!((ran.code, ran.stdout.as_str()), (130, ""), "{}", ran.stderr);
    let (_, half, part) = packed();
    assert!(
        ran.stderr.contains(&format!("kept in t/{part}, and the same command goes on from there")),
        "{}",
        ran.stderr
    );
    let answer = fetched(&home, &server.address(), &[]);
    assert_eq!(answer["resumed_from"], half);
}

#[test]
#[cfg(unix)]
fn a_killed_fetch_leaves_what_has_come() {
    let home = Home::new();
    let (server, mut child) = waiting(&home);
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(files(&home.join("t")), [packed().2]);
    assert_eq!(fetched(&home, &server.address(), &[])["resumed_from"], packed().1);
}

#[test]
#[cfg(unix)]
fn of_two_that_fetch_the_same_the_second_waits_for_the_first() {
    let home = Home::new();
    // The first one gets its second half when the other has come as far as it can.
    let (server, first) = waiting(&home);
    let name = nibble();
    let second = home.start(&["tables", "fetch", &name, "--from", &server.address(), "--out", "t"]);
    while server.asked().iter().filter(|asked| asked.is_head()).count() < 2 {
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(server.gets().len(), 1, "the second does not ask for what the first has");
    assert_eq!(interrupt(first).code, 130);
    let second = Ran::new(second.wait_with_output().unwrap());
    assert_eq!(second.code, 0, "{}", second.stderr);
    assert_eq!(server.gets(), [None, Some(packed().1)]);
    assert_eq!(files(&home.join("t")), [nibble()]);
}

#[test]
fn processes_that_fetch_the_same_at_once_all_succeed() {
    let (home, server) = (Home::new(), Server::new(breaks_off_once));
    let arguments = ["tables", "fetch", "5-5-5", "--encoding", "nibble", "--from", &server.address(), "--out", "t"];
    let children: Vec<Child> = (0..4).map(|_| home.start(&arguments)).collect();
    for child in children {
        let ran = Ran::new(child.wait_with_output().unwrap());
        assert!(ran.code == 0 && ran.stdout.lines().count() == 3, "{}{}", ran.stdout, ran.stderr);
    }
    assert_eq!(files(&home.join("t")).len(), 3);
    for name in files(&home.join("t")) {
        assert!(std::fs::read(home.join("t").join(&name)).unwrap() == FILES[&name], "{name}");
    }
}
