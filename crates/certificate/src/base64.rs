//! Bytes as text: base64 with the alphabet of RFC 4648, section 4, and without padding.

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Three bytes become four digits; one or two bytes at the end become two or three.
pub(crate) fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |i: usize| u32::from(chunk.get(i).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for place in 0..=chunk.len() {
            text.push(char::from(DIGITS[(bits >> (18 - 6 * place) & 63) as usize]));
        }
    }
    text
}

/// The bytes that digits stand for; `None` if [`encode`] cannot have written the text.
pub(crate) fn decode(digits: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(digits.len() / 4 * 3 + 2);
    for chunk in digits.chunks(4) {
        let mut bits = 0;
        for place in 0..4 {
            bits = bits << 6 | chunk.get(place).map_or(Some(0), |&digit| value(digit))?;
        }
        let [_, first, second, third] = bits.to_be_bytes();
        let (kept, dropped) = match chunk.len() {
            4 => (3, 0),
            3 => (2, third),
            2 => (1, second | third),
            _ => return None,
        };
        if dropped != 0 {
            return None;
        }
        bytes.extend(&[first, second, third][..kept]);
    }
    Some(bytes)
}

fn value(digit: u8) -> Option<u32> {
    let value = match digit {
        b'A'..=b'Z' => digit - b'A',
        b'a'..=b'z' => digit - b'a' + 26,
        b'0'..=b'9' => digit - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    };
    Some(u32::from(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_texts() {
        // From RFC 4648, section 10, without the padding.
        let known =
            [("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE")];
        for (bytes, text) in known {
            assert_eq!(encode(bytes.as_bytes()), text);
            assert_eq!(decode(text.as_bytes()).as_deref(), Some(bytes.as_bytes()));
        }
    }

    #[test]
    fn every_byte_comes_back_and_other_texts_do_not() {
        let bytes: Vec<u8> = (0..=255).collect();
        assert_eq!(decode(encode(&bytes).as_bytes()), Some(bytes));
        for text in ["A", "Zg==", "Zm 9", "Zh", "Zm9", "Zm9v-", "é"] {
            assert_eq!(decode(text.as_bytes()), None, "{text}");
        }
    }
}
