//! Tables of states with notes, the data of evidence.
//!
//! A row is a *key*, which stands for a state by a few numbers, and *notes* about the state, such as its rank. Rows are
//! sorted by their keys, and no key occurs twice: so a state is found by bisection.
//!
//! In a file a table is a text ([`Table`]). Sorted rows have long prefixes in common with the row before, so a row is
//! written as the length of that prefix and the numbers after it. All numbers are in base 128, low digits first, with
//! the top bit set on all bytes but the last (LEB128); the bytes are written in base64. A state of the dining
//! philosophers takes four characters or so.

use std::cmp::Ordering;
use std::fmt;

use rely_base::{Budget, Exhausted, Progress};
use serde::{Deserialize, Serialize};

use crate::base64;

/// A [`StateTable`] as text.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Table {
    /// How many rows it has.
    pub rows: usize,
    /// The rows.
    pub data: String,
}

/// The number of digits that are decoded between two checks of the budget; a multiple of four, so that groups stay
/// whole.
const BLOCK: usize = 1 << 20;

/// Rows of numbers, sorted by their keys.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StateTable {
    /// How many numbers of a row are its key.
    key: usize,
    /// How many numbers a row has; at least one, so that rows can be counted even if key and notes are empty.
    width: usize,
    cells: Vec<u32>,
}

/// Why a text is no table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Malformed {
    /// It is not written in base64.
    NotBase64,
    /// It ends in the middle of a row, or has another number of rows than it says.
    WrongLength,
    /// A number does not fit 32 bits, or a prefix is longer than the row before.
    BadNumber,
    /// Rows are not in order, or one occurs twice.
    NotSorted,
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotBase64 => "it is not base64",
            Self::WrongLength => "it has too few or too many rows",
            Self::BadNumber => "it has a number that is too large",
            Self::NotSorted => "its rows are not sorted, or one occurs twice",
        })
    }
}

impl StateTable {
    /// An empty table whose rows have keys and notes of these lengths.
    pub fn new(key: usize, notes: usize) -> Self {
        Self { key, width: (key + notes).max(1), cells: Vec::new() }
    }

    /// Adds a row; [`StateTable::sort`] puts it in its place.
    ///
    /// # Panics
    /// When the row has another width than the table.
    pub fn push(&mut self, row: impl IntoIterator<Item = u32>) {
        let end = self.cells.len() + self.width;
        self.cells.extend(row);
        if self.cells.len() + 1 == end && self.width == 1 {
            self.cells.push(0);
        }
        assert_eq!(self.cells.len(), end, "the width of a row");
    }

    /// Sorts the rows.
    pub fn sort(&mut self) {
        let mut order: Vec<u32> =
            (0..self.len()).map(|row| u32::try_from(row).expect("fewer rows")).collect();
        order.sort_unstable_by(|&a, &b| self.row(a as usize).cmp(self.row(b as usize)));
        let mut sorted = Vec::with_capacity(self.cells.len());
        for row in order {
            sorted.extend(self.row(row as usize));
        }
        self.cells = sorted;
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.cells.len() / self.width
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// How many numbers of a row are its key, and how many its notes.
    pub fn row_width(&self) -> (usize, usize) {
        (self.key, self.width - self.key)
    }

    fn row(&self, row: usize) -> &[u32] {
        &self.cells[row * self.width..(row + 1) * self.width]
    }

    /// The key of a row.
    pub fn key(&self, row: usize) -> &[u32] {
        &self.row(row)[..self.key]
    }

    /// The notes of a row.
    pub fn notes(&self, row: usize) -> &[u32] {
        &self.row(row)[self.key..]
    }

    /// The row with a key.
    pub fn find(&self, key: &[u32]) -> Option<usize> {
        self.find_by(|known| known.cmp(key))
    }

    /// The row whose key is the one that is looked for; `compare` compares a key with it.
    pub(crate) fn find_by(&self, compare: impl Fn(&[u32]) -> Ordering) -> Option<usize> {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low + (high - low) / 2;
            match compare(self.key(middle)) {
                Ordering::Equal => return Some(middle),
                Ordering::Less => low = middle + 1,
                Ordering::Greater => high = middle,
            }
        }
        None
    }

    /// Bytes held by the rows.
    pub fn bytes(&self) -> usize {
        self.cells.capacity() * size_of::<u32>()
    }

    /// The table as text; its rows have to be sorted.
    pub fn encode(&self) -> Table {
        let mut bytes = Vec::new();
        let mut before: &[u32] = &[];
        for number in 0..self.len() {
            let row = self.row(number);
            let shared = row.iter().zip(before).take_while(|(a, b)| a == b).count();
            write_number(&mut bytes, u32::try_from(shared).expect("a row is short"));
            row[shared..].iter().for_each(|&cell| write_number(&mut bytes, cell));
            before = row;
        }
        Table { rows: self.len(), data: base64::encode(&bytes) }
    }

    /// The table of a text.
    ///
    /// # Errors
    /// What is wrong with the text, or the limit that was met.
    pub fn decode(
        table: &Table,
        key: usize,
        notes: usize,
        budget: &Budget<'_>,
    ) -> Result<Result<Self, Malformed>, Exhausted> {
        let mut bytes: Vec<u8> = Vec::new();
        for digits in table.data.as_bytes().chunks(BLOCK) {
            budget.check(&Progress { bytes: bytes.capacity(), ..Progress::default() })?;
            let Some(decoded) = base64::decode(digits) else { return Ok(Err(Malformed::NotBase64)) };
            bytes.extend(decoded);
        }
        let mut decoder = Decoder { rest: &bytes, table: Self::new(key, notes) };
        while !decoder.rest.is_empty() {
            if let Err(malformed) = decoder.read_row() {
                return Ok(Err(malformed));
            }
            let states = decoder.table.len();
            if states.is_multiple_of(Budget::INTERVAL) {
                let bytes = decoder.table.bytes() + bytes.capacity();
                budget.check(&Progress { states, bytes, ..Progress::default() })?;
            }
        }
        let rows = decoder.table.len();
        Ok(if rows == table.rows { Ok(decoder.table) } else { Err(Malformed::WrongLength) })
    }
}

fn write_number(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(u8::try_from(number).expect("the number is below 128"));
}

/// Reads a table row by row.
struct Decoder<'b> {
    rest: &'b [u8],
    table: StateTable,
}

impl Decoder<'_> {
    fn read_row(&mut self) -> Result<(), Malformed> {
        let (width, key) = (self.table.width, self.table.key);
        let shared = self.read_number()? as usize;
        let start = self.table.cells.len();
        let before = start.checked_sub(width);
        match before {
            Some(before) if shared <= width => {
                self.table.cells.extend_from_within(before..before + shared);
            }
            None if shared == 0 => {}
            Some(_) | None => return Err(Malformed::BadNumber),
        }
        for _ in shared..width {
            let cell = self.read_number()?;
            self.table.cells.push(cell);
        }
        let increases = before.is_none_or(|before| {
            let cells = &self.table.cells;
            cells[before..before + key] < cells[start..start + key]
        });
        if increases { Ok(()) } else { Err(Malformed::NotSorted) }
    }

    fn read_number(&mut self) -> Result<u32, Malformed> {
        let mut number: u64 = 0;
        for place in 0..5 {
            let (&byte, rest) = self.rest.split_first().ok_or(Malformed::WrongLength)?;
            self.rest = rest;
            number |= u64::from(byte & 0x7f) << (7 * place);
            if byte < 0x80 {
                return u32::try_from(number).map_err(|_| Malformed::BadNumber);
            }
        }
        Err(Malformed::BadNumber)
    }
}
