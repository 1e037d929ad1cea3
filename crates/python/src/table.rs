//! Tables of Python: what is there, is it whole, is it right, and new ones.

use std::path::{Path, PathBuf};

use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use tilebase::format::Header;
use tilebase::generate::{AuditError, Build, BuildError, Directory, audit};
use tilebase::index::Kind;
use tilebase::lookup::{Location, OpenError, Store, Table, VerifyError, read_header};
use tilebase::{
    DirectoryError, Event, Missing, TooMuchMemory, Watch, check_memory, find_catalogue, plan_builds, prepare_directory,
    tables_of,
};

use crate::errors::{bad_file, bad_input, bad_table};
use crate::store::store;
use crate::work;

/// A table in a file, packed or not, or in the package itself: what it says about itself.
#[pyclass(name = "Table", module = "tilebase", frozen)]
pub(crate) struct PyTable {
    header: Header,
    location: Location,
}

#[pymethods]
impl PyTable {
    /// Opens the table in a file. Only what it says about itself is read; `verify` reads every byte, and `audit` proves every entry.
    #[staticmethod]
    fn open(path: PathBuf) -> PyResult<PyTable> {
        let header = read_header(&path).map_err(|error| open_error(&error))?;
        Ok(PyTable { header, location: Location::Table(path) })
    }

    /// Its file; None when it is part of the package.
    #[getter]
    fn path(&self) -> Option<PathBuf> {
        match &self.location {
            Location::Table(path) | Location::Packed(path) => Some(path.clone()),
            Location::Program => None,
        }
    }

    /// Whether it is packed: a solver unpacks it when it needs it.
    #[getter]
    fn packed(&self) -> bool {
        matches!(self.location, Location::Packed(_))
    }

    /// What its file is called.
    #[getter]
    fn name(&self) -> String {
        self.header.file_name()
    }

    /// The tiles of its pattern: the squares that they belong on, counted row by row from the blank's corner, which is 0.
    #[getter]
    fn pattern<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.header.pattern().tiles().map(|tile| tile.0).collect::<Vec<_>>())
    }

    /// Width and height of the boards.
    #[getter]
    fn size(&self) -> (usize, usize) {
        let size = self.header.pattern().size();
        (size.width(), size.height())
    }

    /// "bit" (one bit an entry, the blank's region told apart) or "nibble" (four bits, the smallest over the regions).
    #[getter]
    fn encoding(&self) -> &'static str {
        self.header.kind().encoding()
    }

    /// Which moves are counted: "pattern" for those of the pattern's tiles, or "all".
    #[getter]
    fn counts(&self) -> &'static str {
        self.header.kind().count()
    }

    /// How many costs there are.
    #[getter]
    fn entries(&self) -> u64 {
        self.header.entries()
    }

    /// The bytes of the table, unpacked.
    #[getter]
    fn bytes(&self) -> u64 {
        self.header.file_len()
    }

    /// The largest cost.
    #[getter]
    fn max(&self) -> u32 {
        self.header.max()
    }

    /// The mean cost.
    #[getter]
    fn mean(&self) -> f64 {
        self.header.mean()
    }

    /// The hash of all entries, by which the table is known.
    #[getter]
    fn hash(&self) -> String {
        self.header.hash_text()
    }

    /// How many entries have the cost 0, 1, 2 and so on.
    #[getter]
    fn histogram<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u64>> {
        PyArray1::from_slice(py, self.header.histogram())
    }

    /// Reads every byte, and raises `TableError` when it is not what its hash says.
    #[pyo3(signature = (*, threads = None, progress = None))]
    fn verify(&self, py: Python<'_>, threads: Option<usize>, progress: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let (what, threads) = (format!("verifying {}", self.name()), work::threads(threads)?);
        let of_payload = (&*what, self.header.payload_len());
        work::run(py, progress, of_payload, Some(threads), |watch| match &self.location {
            Location::Packed(path) => tilebase::verify_packed(path, watch).map_err(bad_table),
            _ => self.verified(watch).map(drop),
        })?
    }

    /// Proves every entry, without trusting how it was built, and raises `TableError` when one is wrong. Takes as much memory as
    /// building the table.
    #[pyo3(signature = (*, threads = None, progress = None))]
    fn audit(&self, py: Python<'_>, threads: Option<usize>, progress: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        if let Location::Packed(path) = &self.location {
            return Err(bad_input(format!("{} is packed: unpack it first, by tilebase tables unpack", path.display())));
        }
        let threads = work::threads(threads)?;
        let build = Build::new(self.header.pattern(), &[self.header.kind()]).map_err(bad_input)?;
        check_memory(&build, memory(None), |build| build.memory_of_audit(threads)).map_err(no_memory)?;
        let what = format!("auditing {}", self.name());
        work::run(py, progress, (&what, build.reachable()), Some(threads), |watch| {
            let table = self.verified(&|_| watch(&Event::Poll))?;
            audit(table.header(), table.payload(), threads, watch).map_err(|error| audit_error(&error))
        })?
    }

    /// Draws how many entries have which cost, with matplotlib.
    #[pyo3(signature = (ax = None))]
    fn plot<'py>(slf: &Bound<'py, PyTable>, ax: Option<&Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("tilebase._plot")?.call_method1("histogram", (slf, ax))
    }

    /// The histogram as a picture, where matplotlib is there.
    fn _repr_png_<'py>(slf: &Bound<'py, PyTable>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("tilebase._plot")?.call_method1("png", (slf,))
    }

    fn __repr__(&self) -> String {
        let place = match &self.location {
            Location::Table(path) | Location::Packed(path) => path.display().to_string(),
            Location::Program => "part of the package".to_owned(),
        };
        let (name, entries, max) = (self.name(), self.entries(), self.max());
        format!("<Table {name}: {entries} entries, costs 0 to {max}, {place}>")
    }
}

impl PyTable {
    /// The table in memory, every byte of it compared with its hash.
    fn verified(&self, watch: Watch<'_>) -> PyResult<Table> {
        let table = match &self.location {
            Location::Table(path) | Location::Packed(path) => Table::read_watched(path, &|_| watch(&Event::Poll)),
            Location::Program => {
                let kind = Store::compiled_in().with_only(self.header.kind());
                Ok(kind
                    .find_unverified(self.header.pattern())
                    .map_err(|error| open_error(&error))?
                    .expect("it is there"))
            }
        };
        let table = table.map_err(|error| open_error(&error))?;
        let name = self.path().map_or_else(|| self.name(), |path| path.display().to_string());
        match table.verify(watch) {
            Ok(()) | Err(VerifyError::Stopped) => Ok(table),
            Err(error) => Err(bad_table(format!("{name}: {error}"))),
        }
    }
}

/// All tables that are there: in the directories where solvers look for them, and in the package.
#[pyfunction]
#[pyo3(signature = (table_dir = None))]
pub(crate) fn tables(py: Python<'_>, table_dir: Option<PathBuf>) -> PyResult<Vec<PyTable>> {
    let found = work::briefly(py, || tables_of(&store(table_dir)).collect::<Vec<_>>())?;
    let whole =
        found.into_iter().filter_map(|file| Some(PyTable { header: file.header?.ok()?, location: file.location }));
    Ok(whole.collect())
}

/// Builds the tables of a catalogue, and returns all of them: a name such as "7-8", or a drawing such as ".ABB/AABB/AABB/AABB".
///
/// Tables that are there are not built again, but with force. They go where solvers look for them, or into `out`. With audit, every
/// entry is proved before a table gets its name. Whoever interrupts it leaves only whole tables.
#[pyfunction]
#[pyo3(signature = (
    catalogue, *, encoding = "bit", out = None, audit = false, force = false, threads = None, max_memory = None, progress = None
))]
#[expect(clippy::too_many_arguments, reason = "that is how Python has options")]
pub(crate) fn generate(
    py: Python<'_>,
    catalogue: &str,
    encoding: &str,
    out: Option<PathBuf>,
    audit: bool,
    force: bool,
    threads: Option<usize>,
    max_memory: Option<u64>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<PyTable>> {
    let kinds: &[Kind] = match encoding {
        "bit" => &[Kind::Bit],
        "nibble" => &[Kind::Nibble],
        "both" => &[Kind::Bit, Kind::Nibble],
        other => return Err(bad_input(format!("{other:?} is no encoding: expected \"bit\", \"nibble\" or \"both\""))),
    };
    let patterns = find_catalogue(catalogue).map_err(bad_input)?.patterns();
    let builds = plan_builds(&patterns, kinds).map_err(bad_input)?;
    let (threads, most) = (work::threads(threads)?, memory(max_memory));
    for build in &builds {
        let needs = |build: &Build| {
            let building = build.memory(threads);
            if audit { building.max(build.memory_of_audit(threads)) } else { building }
        };
        check_memory(build, most, needs).map_err(no_memory)?;
    }
    let store = store(out.clone());
    let directory = store.directories().first().cloned();
    let directory =
        directory.ok_or_else(|| bad_file("there is no home directory to keep tables in: give one as out"))?;
    let files = work::run(py, progress, ("building", 0), Some(threads), |watch| {
        prepare_directory(&directory).map_err(bad_file)?;
        let missing = Missing::in_directory(&directory, &builds, force, |file| store.check_file(file, watch));
        let missing = missing.map_err(build_error)?;
        let mut files = missing.there;
        for group in Build::groups(&missing.builds, threads, most) {
            files.extend(build_group(group, &directory, threads, audit, watch)?);
        }
        PyResult::Ok(files)
    })??;
    files.into_iter().map(PyTable::open).collect()
}

/// Builds some patterns side by side, proves them if that is wanted, and gives them their names.
fn build_group(
    group: &[Build],
    directory: &Path,
    threads: usize,
    proves: bool,
    watch: Watch<'_>,
) -> PyResult<Vec<PathBuf>> {
    let names: Vec<String> = group.iter().map(|build| build.pattern().to_string()).collect();
    let _ = watch(&Event::Begin {
        what: &format!("building {}", names.join(" ")),
        total: group.iter().map(Build::reachable).sum(),
    });
    let tables = Build::run_side_by_side(group, threads, &Directory(directory), watch).map_err(build_error)?;
    let mut files = Vec::new();
    for mut table in tables.into_iter().flatten() {
        if proves {
            let payload = table.read_payload(watch).map_err(build_error)?;
            audit(&table.header, &payload, threads, watch).map_err(|error| audit_error(&error))?;
        }
        // Whoever stopped it gets no other table.
        if watch(&Event::Poll).is_break() {
            return Ok(files);
        }
        let sealed = table.seal();
        files.push(sealed.map_err(|error| bad_file(DirectoryError { directory: directory.to_owned(), error }))?);
    }
    Ok(files)
}

/// Bytes of memory that there may be: as many as were said, or as are free.
fn memory(said: Option<u64>) -> u64 {
    said.or_else(tilebase::memory::available).unwrap_or(u64::MAX)
}

fn no_memory(error: TooMuchMemory) -> PyErr {
    pyo3::exceptions::PyMemoryError::new_err(error.to_string())
}

fn build_error(error: BuildError) -> PyErr {
    match error {
        BuildError::Write(error) => bad_file(error),
        other => bad_table(other),
    }
}

fn audit_error(error: &AuditError) -> PyErr {
    match error {
        AuditError::Memory(_) => pyo3::exceptions::PyMemoryError::new_err(error.to_string()),
        other => bad_table(other),
    }
}

fn open_error(error: &OpenError) -> PyErr {
    match error {
        OpenError::Io(_, cause) if cause.kind() == std::io::ErrorKind::NotFound => {
            pyo3::exceptions::PyFileNotFoundError::new_err(error.to_string())
        }
        OpenError::Io(..) => bad_file(error),
        other => bad_table(other),
    }
}
