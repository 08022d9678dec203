//! Programs that read what happens, tell watches, and write what these say. See `Session::encoded` and `Session::expected`.

use rely_monitor::{Language, watch_file_name};

use crate::cases::Case;

/// The stem of the name of the file of a case.
fn stem(language: Language, case: &Case) -> String {
    let name = watch_file_name(language, &case.input.name);
    name.split('.').next().expect("a file has a name").to_owned()
}

pub(crate) fn c(cases: &[Case]) -> String {
    let of_each = |text: fn(&str, &str) -> String| -> String {
        cases
            .iter()
            .map(|case| stem(Language::C, case))
            .map(|it| text(&it, &it.to_ascii_uppercase()))
            .collect()
    };
    C.replace("{includes}", &of_each(|it, _| format!("#include \"{it}.h\"\n")))
        .replace("{functions}", &of_each(|it, upper| format!("RUN({it}, {upper})\n")))
        .replace("{table}", &of_each(|it, _| format!("    run_{it},\n")))
}

const C: &str = r#"{includes}
static char line[1 << 16];
static char names[3][1 << 10];
static int told;
static int failed;

static char *decode(char *word, char *name)
{
    unsigned byte;
    for (; *word != ':'; word += 2) {
        sscanf(word, "%2x", &byte);
        *name++ = (char)byte;
    }
    *name = '\0';
    return word + 1;
}

#define RUN(watch_type, PREFIX) \
    static void tell_##watch_type(struct watch_type *watch, void *context) \
    { \
        (void)watch; \
        ++*(int *)context; \
    } \
    static void fail_##watch_type(struct watch_type *watch, void *context) \
    { \
        (void)watch; \
        (void)context; \
        failed = 1; \
    } \
    static void run_##watch_type(char *words) \
    { \
        static struct watch_type watch; \
        if (watch_type##_init(&watch, PREFIX##_DIGEST + 1, PREFIX##_LOG, PREFIX##_LOG)) { \
            printf("accepted "); \
        } \
        char *word = strtok(words, " \n"); \
        watch_type##_init(&watch, PREFIX##_DIGEST, word[0] == 'p' ? PREFIX##_PRUNE : PREFIX##_LOG, \
            word[1] == 'c' ? PREFIX##_CHECK : PREFIX##_LOG); \
        told = 0; \
        watch.context = &told; \
        watch.on_violation = tell_##watch_type; \
        watch.on_failure = fail_##watch_type; \
        while ((word = strtok(NULL, " \n")) != NULL) { \
            for (int i = 0; i < 3; i++) { \
                word = decode(word, names[i]); \
            } \
            int64_t values[4]; \
            size_t count = 0; \
            while (*word != '\0') { \
                values[count++] = strtoll(word, &word, 10); \
                word += *word == ','; \
            } \
            failed = 0; \
            enum watch_type##_answer answer = \
                watch_type##_event(&watch, names[0], names[1], names[2], values, count); \
            printf("%c[", failed ? 'f' : "oluve"[answer]); \
            for (int i = 0; i < PREFIX##_AUTOMATA + 0; i++) { \
                printf("%s%d", i > 0 ? "," : "", (int)watch.states[i]); \
            } \
            printf("]%d/%d ", (int)watch.events, (int)watch.violations); \
        } \
        printf("%d\n", told); \
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
    }
    return 0;
}
"#;

pub(crate) fn java(cases: &[Case]) -> String {
    let run = |(i, case): (usize, &Case)| {
        JAVA_CASE.replace("{i}", &i.to_string()).replace("{Watch}", &stem(Language::Java, case))
    };
    let runs: String = cases.iter().enumerate().map(run).collect();
    let arms: String =
        (0..cases.len()).map(|i| format!("            case {i}: run{i}(words); break;\n")).collect();
    JAVA.replace("{runs}", &runs).replace("{arms}", &arms)
}

const JAVA_CASE: &str = r#"
    static void run{i}(String[] words) {
        try {
            new {Watch}("0", {Watch}.Reaction.LOG, {Watch}.Reaction.LOG);
            out.append("accepted ");
        } catch (IllegalArgumentException refused) {
            // As it should be.
        }
        {Watch} watch = new {Watch}({Watch}.DIGEST,
            words[1].charAt(0) == 'p' ? {Watch}.Reaction.PRUNE : {Watch}.Reaction.LOG,
            words[1].charAt(1) == 'c' ? {Watch}.Reaction.CHECK : {Watch}.Reaction.LOG);
        int[] told = new int[1];
        watch.onViolation(report -> told[0]++);
        for (int i = 2; i < words.length; i++) {
            String[] parts = words[i].split(":", -1);
            char letter;
            try {
                letter = "oluve".charAt(
                    watch.eventOf(decode(parts[0]), decode(parts[1]), decode(parts[2]), values(parts[3])).ordinal());
            } catch ({Watch}.Violation violation) {
                letter = 'f';
            }
            write(letter, watch.states(), watch.events(), watch.violations());
        }
        out.append(told[0]).append('\n');
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

    static long[] values(String text) {
        if (text.isEmpty()) {
            return new long[0];
        }
        String[] parts = text.split(",");
        long[] values = new long[parts.length];
        for (int i = 0; i < parts.length; i++) {
            values[i] = Long.parseLong(parts[i]);
        }
        return values;
    }

    static void write(char letter, int[] states, long events, long violations) {
        out.append(letter).append('[');
        for (int i = 0; i < states.length; i++) {
            out.append(i > 0 ? "," : "").append(states[i]);
        }
        out.append(']').append(events).append('/').append(violations).append(' ');
    }
{runs}
    public static void main(String[] arguments) throws IOException {
        BufferedReader reader = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
            String[] words = line.split(" ");
            switch (Integer.parseInt(words[0])) {
{arms}            }
        }
        System.out.print(out);
    }
}
"#;

pub(crate) fn python(cases: &[Case]) -> String {
    let watches: String = cases
        .iter()
        .map(|case| format!("    ({:?}, {:?}),\n", stem(Language::Python, case), stem(Language::Java, case)))
        .collect();
    PYTHON.replace("{watches}", &watches)
}

const PYTHON: &str = r#"import importlib
import sys

WATCHES = [
{watches}]

modules = [importlib.import_module(module) for module, _ in WATCHES]

for line in sys.stdin:
    case, reactions, *words = line.split()
    module = modules[int(case)]
    kind = getattr(module, WATCHES[int(case)][1])
    try:
        kind("0")
        print("accepted", end=" ")
    except module.OtherDesign:
        pass
    told = []
    watch = kind(
        module.DIGEST,
        module.Reaction.PRUNE if reactions[0] == "p" else module.Reaction.LOG,
        module.Reaction.CHECK if reactions[1] == "c" else module.Reaction.LOG,
        on_violation=told.append,
    )
    letters = dict(zip(module.Answer, "oluve"))
    for word in words:
        *names, values = word.split(":")
        thread, method, obj = (bytes.fromhex(name).decode() for name in names)
        values = [int(value) for value in values.split(",") if value]
        try:
            letter = letters[watch.event(method, obj, *values, thread=thread)]
        except module.Violation:
            letter = "f"
        states = ",".join(str(state) for state in watch.states)
        print("{}[{}]{}/{}".format(letter, states, watch.events, watch.violations), end=" ")
    print(len(told))
"#;

pub(crate) const C_THREADS: &str = r#"#include <pthread.h>
#include "lock_watch.h"

static struct lock_watch watch;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *name)
{
    for (int i = 0; i < 500; i++) {
        pthread_mutex_lock(&mutex);
        lock_watch_event(&watch, name, "lock", "mutex", NULL, 0);
        lock_watch_event(&watch, name, "unlock", "mutex", NULL, 0);
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[4];
    const bool is_refused = !lock_watch_init(&watch, 1, LOCK_WATCH_LOG, LOCK_WATCH_LOG);
    lock_watch_init(&watch, UINT64_C(0x{digest}), LOCK_WATCH_LOG, LOCK_WATCH_LOG);
    for (int i = 0; i < 4; i++) {
        pthread_create(&threads[i], NULL, run, "worker");
    }
    for (int i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
    }
    printf("%d events, %d violations, %s\n", (int)watch.events, (int)watch.violations,
        is_refused ? "refused" : "accepted");
    return 0;
}
"#;

pub(crate) const JAVA_THREADS: &str = r#"final class Main {
    public static void main(String[] arguments) throws InterruptedException {
        String answer = "accepted";
        try {
            new LockWatch("1", LockWatch.Reaction.LOG, LockWatch.Reaction.LOG);
        } catch (IllegalArgumentException refused) {
            answer = "refused";
        }
        LockWatch watch = new LockWatch("{digest}", LockWatch.Reaction.LOG, LockWatch.Reaction.LOG);
        Object mutex = new Object();
        Thread[] threads = new Thread[4];
        for (int i = 0; i < 4; i++) {
            threads[i] = new Thread(() -> {
                for (int j = 0; j < 500; j++) {
                    synchronized (mutex) {
                        watch.event("lock", "mutex");
                        watch.event("unlock", "mutex");
                    }
                }
            });
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println(watch.events() + " events, " + watch.violations() + " violations, " + answer);
    }
}
"#;

pub(crate) const PYTHON_THREADS: &str = r#"import threading

from lock_watch import LockWatch, OtherDesign

try:
    LockWatch("1")
    answer = "accepted"
except OtherDesign:
    answer = "refused"
watch = LockWatch("{digest}")
mutex = threading.Lock()


def run():
    for _ in range(500):
        with watch.locked("mutex", mutex):
            pass


threads = [threading.Thread(target=run) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print("{} events, {} violations, {}".format(watch.events, watch.violations, answer))
"#;
