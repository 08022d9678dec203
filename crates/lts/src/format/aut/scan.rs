//! Scanning the fields of a line eight bytes at a time.
//!
//! Nearly every line of a large text has the plain form `(12,label,34)`. Its numbers and its label are found here
//! with a few operations on words; all other lines are left to the full reader.

use rely_base::Label;

/// A transition of the plain form.
pub(super) struct Plain {
    pub(super) source: u64,
    pub(super) label: Label,
    pub(super) target: u64,
    /// How many bytes it takes.
    pub(super) length: usize,
}

/// Number of bytes that may be loaded for a plain transition: a bracket, two numbers of 8 digits, a label of 32
/// bytes, two commas and a bracket, and the remainders of the words that are loaded.
const LOOKAHEAD: usize = 72;

/// The transition that a text begins with, if it is plain and its label is known.
#[inline]
pub(super) fn plain(text: &[u8], labels: &RecentLabels) -> Option<Plain> {
    let text = text.get(..LOOKAHEAD)?;
    if text[0] != b'(' {
        return None;
    }
    let (source, digits) = number(word(text, 1))?;
    let comma = 1 + digits;
    if text[comma] != b',' {
        return None;
    }
    let (spelling, length) = spelling(text, comma + 1)?;
    let label = labels.get(&spelling)?;
    let (target, digits) = number(word(text, comma + length + 2))?;
    let end = comma + length + 2 + digits;
    (text[end] == b')').then_some(Plain { source, label, target, length: end + 1 })
}

/// Eight bytes from a place on, the first one in the lowest bits.
#[inline]
fn word(text: &[u8], at: usize) -> u64 {
    let bytes = text[at..at + 8].try_into().expect("the slice has eight bytes");
    u64::from_le_bytes(bytes)
}

/// A word with the same byte eight times.
const fn repeated(byte: u8) -> u64 {
    u64::from_ne_bytes([byte; 8])
}

/// The number that a word begins with, and how many digits it has, 1 to 8. After eight digits the caller has to check
/// what follows.
///
/// Neighbouring digits are joined to pairs, pairs to fours, fours to the number.
#[inline]
fn number(word: u64) -> Option<(u64, usize)> {
    let values = word ^ repeated(b'0');
    let others = (values.wrapping_add(repeated(0x76)) | values) & repeated(0x80);
    let digits = others.trailing_zeros() as usize / 8;
    if digits == 0 {
        return None;
    }
    // The digits move to the upper end, zeros before them.
    let digits_last = values << (64 - 8 * digits);
    let pairs = (digits_last & repeated(0x0F)).wrapping_mul(10 * 256 + 1) >> 8;
    let fours = (pairs & 0x00FF_00FF_00FF_00FF).wrapping_mul(100 * 65_536 + 1) >> 16;
    let value = (fours & 0x0000_FFFF_0000_FFFF).wrapping_mul(10_000 * (1 << 32) + 1) >> 32;
    Some((value, digits))
}

/// The spelling of a label that ends at a comma, and its length; `None` if it has more than 32 bytes.
#[inline]
fn spelling(text: &[u8], at: usize) -> Option<(Spelling, usize)> {
    let mut spelling = [0; 4];
    for (i, part) in spelling.iter_mut().enumerate() {
        let word = word(text, at + 8 * i);
        let differences = word ^ repeated(b',');
        // The lowest bit that is set belongs to the first byte that is a comma.
        let commas = differences.wrapping_sub(repeated(1)) & !differences & repeated(0x80);
        if commas != 0 {
            let length = commas.trailing_zeros() as usize / 8;
            *part = if length == 0 { 0 } else { word & (u64::MAX >> (64 - 8 * length)) };
            return Some((spelling, 8 * i + length));
        }
        *part = word;
    }
    None
}

/// The bytes of a label up to its comma, padded with zeros.
type Spelling = [u64; 4];

/// A cache of labels that were read recently, by their spelling.
pub(super) struct RecentLabels {
    places: Vec<(Spelling, Label)>,
}

impl RecentLabels {
    /// Small enough for the cache of the processor.
    const SIZE: usize = 1 << 9;

    pub(super) fn new() -> Self {
        // No label has this spelling, as it contains a comma.
        Self { places: vec![([repeated(b','); 4], Label::TAU); Self::SIZE] }
    }

    #[inline]
    fn place(spelling: &Spelling) -> usize {
        let hash = (spelling[0] ^ spelling[1].rotate_left(23) ^ spelling[2].rotate_left(41) ^ spelling[3])
            .wrapping_mul(0x9E37_79B9_7F4A_7C15);
        usize::try_from(hash >> 55).expect("nine bits fit")
    }

    #[inline]
    fn get(&self, spelling: &Spelling) -> Option<Label> {
        let (known, label) = &self.places[Self::place(spelling)];
        (known == spelling).then_some(*label)
    }

    /// Remembers the label that a text spells from its beginning up to a comma.
    pub(super) fn remember(&mut self, text: &[u8], label: Label) {
        // A label with a zero byte could not be distinguished from a padded one.
        if let Some((spelling, length)) = text.get(..40).and_then(|text| spelling(text, 0))
            && !text[..length].contains(&0)
        {
            self.places[Self::place(&spelling)] = (spelling, label);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_one_to_eight_digits() {
        let read = |text: &str| number(word(format!("{text},,,,,,,,").as_bytes(), 0));
        for (text, value) in [("0", 0), ("7", 7), ("10", 10), ("907", 907), ("12345678", 12_345_678)] {
            assert_eq!(read(text), Some((value, text.len())), "{text}");
        }
        for text in ["", "-1", " 1", "/1", ":1", "\u{e9}1"] {
            assert_eq!(read(text), None, "{text}");
        }
        assert_eq!(read("12)"), Some((12, 2)));
        assert_eq!(read("12\u{e9}"), Some((12, 2)));
    }

    #[test]
    fn labels_end_at_the_first_comma() {
        let read =
            |text: &str| spelling(format!("{text}{}", "x".repeat(40)).as_bytes(), 0).map(|found| found.1);
        for length in 0..32 {
            assert_eq!(read(&format!("{},,b-", "a".repeat(length))), Some(length));
        }
        assert_eq!(read(&format!("{},", "a".repeat(32))), None);
        // Bytes next to the comma in value do not disturb.
        assert_eq!(read("-+\u{ac},"), Some(4));
    }

    /// Labels with a common beginning, or with the same place in the cache, are not confused.
    #[test]
    fn labels_are_told_apart() {
        let mut labels = RecentLabels::new();
        let text = |number: u32| format!("beginning{number},{}", " ".repeat(LOOKAHEAD));
        for number in 0..3000 {
            labels.remember(text(number).as_bytes(), Label::from_raw(number));
        }
        let known = |number: u32| {
            let (spelling, _) = spelling(text(number).as_bytes(), 0).expect("the label is short");
            labels.get(&spelling)
        };
        for number in 0..3000 {
            assert!(known(number).is_none_or(|label| label.raw() == number), "label {number}");
        }
        assert!((0..3000).filter(|&number| known(number).is_some()).count() > 100);
    }

    #[test]
    fn only_remembered_labels_are_plain() {
        let mut labels = RecentLabels::new();
        let text = format!("(12,coin,345)\n{}", " ".repeat(LOOKAHEAD));
        assert!(plain(text.as_bytes(), &labels).is_none());
        labels.remember(&text.as_bytes()[4..], Label::from_raw(3));
        let found = plain(text.as_bytes(), &labels).expect("the label is known");
        assert_eq!((found.source, found.label.raw(), found.target, found.length), (12, 3, 345, 13));
        assert!(plain(b"(12,coin,345)", &labels).is_none(), "too close to the end");
        for other in [
            "(12,coi,345)",
            "(12 ,coin,345)",
            "(12,coin,-1)",
            "(12,coin,345 )",
            "12,coin,345)",
            "(123456789,coin,1)",
        ] {
            let text = format!("{other}\n{}", " ".repeat(LOOKAHEAD));
            assert!(plain(text.as_bytes(), &labels).is_none(), "{other}");
        }
    }
}
