//! Programs that read traces, run monitors on them, and write what the monitors say.
//!
//! A line of input is the number of a monitor and its words: `s` and the bytes of an action's name in hexadecimal, `n`
//! and the number of an action, `r` for a reset. For each word a program writes the answer's letter and the number of
//! the state, and `!` if the assumption has been violated.

use rely_monitor::{Language, file_name};

use crate::traces::Case;

/// The stem of the name of the file with a monitor.
fn stem(language: Language, case: &Case) -> String {
    let name = file_name(language, &case.name);
    name.split('.').next().expect("a file has a name").to_owned()
}

/// The type that a monitor has: what Java calls its file.
fn type_name(case: &Case) -> String {
    stem(Language::Java, case)
}

/// A piece of text for each case.
fn for_each(cases: &[Case], text: impl Fn(usize, &Case) -> String) -> String {
    cases.iter().enumerate().map(|(i, case)| text(i, case)).collect()
}

/// The crate of all monitors.
pub(crate) fn rust_library(cases: &[Case]) -> String {
    let modules = for_each(cases, |_, case| format!("pub mod {};\n", stem(Language::Rust, case)));
    format!("#![no_std]\n{modules}")
}

pub(crate) fn rust(cases: &[Case]) -> String {
    let arms = for_each(cases, |i, case| {
        format!("            {i} => run!({}, {}),\n", stem(Language::Rust, case), type_name(case))
    });
    RUST.replace("{arms}", &arms)
}

const RUST: &str = r#"extern crate monitors;

use std::io::BufRead;

fn decode(word: &str) -> String {
    let bytes = (0..word.len()).step_by(2).map(|i| u8::from_str_radix(&word[i..i + 2], 16).unwrap()).collect();
    String::from_utf8(bytes).unwrap()
}

fn main() {
    for line in std::io::stdin().lock().lines() {
        let line = line.unwrap();
        let mut words = line.split(' ');
        let case: usize = words.next().unwrap().parse().unwrap();
        macro_rules! run {
            ($module:ident, $monitor:ident) => {{
                use monitors::$module::{Answer, $monitor};
                assert!($monitor::ACTIONS.windows(2).all(|pair| pair[0] < pair[1]));
                let mut monitor = $monitor::default();
                for word in words {
                    let letter = match word.split_at(1) {
                        ("r", _) => {
                            monitor.reset();
                            "r"
                        }
                        (kind, rest) => {
                            let answer = match kind {
                                "s" => monitor.step(&decode(rest)),
                                _ => monitor.step_number(rest.parse().unwrap()),
                            };
                            match answer {
                                Answer::Ok => "o",
                                Answer::Violated => "v",
                                Answer::LeftModel => "l",
                            }
                        }
                    };
                    let violated = if monitor.is_violated() { "!" } else { "" };
                    print!("{letter}{}{violated} ", monitor.state());
                }
            }};
        }
        match case {
{arms}            _ => unreachable!(),
        }
        println!();
    }
}
"#;

pub(crate) fn c(cases: &[Case]) -> String {
    let includes =
        for_each(cases, |_, case| format!("#include \"{}\"\n", file_name(Language::C, &case.name)));
    let functions = for_each(cases, |_, case| {
        let name = stem(Language::C, case);
        format!("RUN({name}, {})\n", name.to_ascii_uppercase())
    });
    let table = for_each(cases, |_, case| format!("    run_{},\n", stem(Language::C, case)));
    // Each header twice: the second time it is empty.
    C.replace("{includes}", &format!("{includes}{includes}"))
        .replace("{functions}", &functions)
        .replace("{table}", &table)
}

const C: &str = r#"#include <stdio.h>
#include <stdlib.h>
{includes}
static char line[1 << 16];
static char name[1 << 16];

static const char *decode(const char *word)
{
    size_t length = 0;
    unsigned byte;
    for (; sscanf(word, "%2x", &byte) == 1 && word[0] != ' '; word += 2) {
        name[length++] = (char)byte;
    }
    name[length] = '\0';
    return name;
}

static char letter(int answer, int ok, int violated)
{
    return answer == ok ? 'o' : answer == violated ? 'v' : 'l';
}

#define RUN(monitor_type, PREFIX) \
    static void run_##monitor_type(char *words) \
    { \
        struct monitor_type monitor; \
        monitor_type##_reset(&monitor); \
        for (char *word = strtok(words, " \n"); word != NULL; word = strtok(NULL, " \n")) { \
            char answer = 'r'; \
            if (word[0] == 'r') { \
                monitor_type##_reset(&monitor); \
            } else { \
                int given = word[0] == 's' \
                    ? (int)monitor_type##_step(&monitor, decode(word + 1)) \
                    : (int)monitor_type##_step_number(&monitor, strtoul(word + 1, NULL, 10)); \
                answer = letter(given, PREFIX##_ANSWER_OK, PREFIX##_ANSWER_VIOLATED); \
            } \
            printf("%c%lu%s ", answer, (unsigned long)monitor.state, \
                monitor_type##_is_violated(&monitor) ? "!" : ""); \
        } \
    }

{functions}
static void (*const run[])(char *) = {
{table}};

int main(void)
{
    while (fgets(line, sizeof line, stdin) != NULL) {
        char *words = line;
        size_t number = strtoul(line, &words, 10);
        run[number](words);
        printf("\n");
    }
    return 0;
}
"#;

pub(crate) fn java(cases: &[Case]) -> String {
    let runs = for_each(cases, |i, case| {
        JAVA_CASE.replace("{i}", &i.to_string()).replace("{Monitor}", &type_name(case))
    });
    let arms = for_each(cases, |i, _| format!("            case {i}: run{i}(words); break;\n"));
    JAVA.replace("{runs}", &runs).replace("{arms}", &arms)
}

const JAVA_CASE: &str = r#"
    static void run{i}(String[] words) {
        {Monitor} monitor = new {Monitor}();
        for (int i = 1; i < words.length; i++) {
            char letter = 'r';
            String rest = words[i].substring(1);
            if (words[i].charAt(0) == 'r') {
                monitor.reset();
            } else if (words[i].charAt(0) == 's') {
                letter = letter(monitor.step(decode(rest)).name());
            } else {
                letter = letter(monitor.step(Integer.parseInt(rest)).name());
            }
            write(letter, monitor.state(), monitor.isViolated());
        }
    }
"#;

const JAVA: &str = r#"import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

final class Main {
    static final StringBuilder out = new StringBuilder();

    static String decode(String word) {
        byte[] bytes = new byte[word.length() / 2];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) Integer.parseInt(word.substring(2 * i, 2 * i + 2), 16);
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }

    static char letter(String answer) {
        return answer.equals("OK") ? 'o' : answer.equals("VIOLATED") ? 'v' : 'l';
    }

    static void write(char letter, int state, boolean isViolated) {
        out.append(letter).append(state).append(isViolated ? "! " : " ");
    }
{runs}
    public static void main(String[] arguments) throws IOException {
        BufferedReader reader = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
            String[] words = line.split(" ");
            switch (Integer.parseInt(words[0])) {
{arms}            }
            out.append('\n');
        }
        System.out.print(out);
    }
}
"#;

pub(crate) fn python(cases: &[Case]) -> String {
    let monitors = for_each(cases, |_, case| {
        format!("    ({:?}, {:?}),\n", stem(Language::Python, case), type_name(case))
    });
    PYTHON.replace("{monitors}", &monitors)
}

const PYTHON: &str = r#"import importlib
import sys

MONITORS = [
{monitors}]

modules = [importlib.import_module(module) for module, _ in MONITORS]

for line in sys.stdin:
    case, *words = line.split()
    module = modules[int(case)]
    monitor = getattr(module, MONITORS[int(case)][1])()
    letters = {module.Answer.OK: "o", module.Answer.VIOLATED: "v", module.Answer.LEFT_MODEL: "l"}
    for word in words:
        if word[0] == "r":
            monitor.reset()
            letter = "r"
        elif word[0] == "s":
            letter = letters[monitor.step(bytes.fromhex(word[1:]).decode())]
        else:
            letter = letters[monitor.step_number(int(word[1:]))]
        print(letter, monitor.state, "!" if monitor.is_violated else "", sep="", end=" ")
    print()
"#;
