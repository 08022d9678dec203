//! Random programs of the subset. They are correct Ada, and small: few tasks, few values.

use rely_testkit::rng::Rng;

/// An entry of a random program.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Plain,
    In,
    Out,
    InOut,
    Family,
}

/// A random program.
pub(crate) struct Random<'r> {
    rng: &'r mut Rng,
    /// For each server, the forms of its entries.
    servers: Vec<Vec<Form>>,
    /// Whether the second server is an array of two tasks.
    has_array: bool,
    /// The next name for a loop parameter or local variable.
    fresh: usize,
    /// How many events there are.
    events: usize,
}

/// What a statement may do where it stands.
#[derive(Clone, Copy)]
struct Place {
    /// The server in whose body it stands, if any.
    server: Option<usize>,
    /// Whether it is inside of a loop.
    in_loop: bool,
    /// How deep it may still be nested.
    depth: usize,
    /// Whether it may call entries.
    may_call: bool,
}

/// A program with one or two servers, a client type with a discriminant, and a main procedure.
pub(crate) fn random_program(rng: &mut Rng) -> String {
    let forms = [Form::Plain, Form::Plain, Form::In, Form::Out, Form::InOut, Form::Family];
    let servers =
        (0..1 + rng.below(2)).map(|_| (0..1 + rng.below(2)).map(|_| *rng.pick(&forms)).collect()).collect();
    let has_array = rng.chance(1, 4);
    Random { rng, servers, has_array, fresh: 0, events: 0 }.program()
}

impl Random<'_> {
    fn program(mut self) -> String {
        let mut text = String::from(
            "procedure Main is
   type T is range 0 .. 1;
   type E is (Red, Green);
   type M is mod 2;
",
        );
        text += if self.rng.chance(1, 2) { "   X : T := 0;\n" } else { "   X : T;\n" };
        text += "   Y : Boolean := False;\n   Z : M := 1;\n   C : E := Green;\n";
        text += "   A : array (T) of Boolean := (0 => True, others => False);\n";
        for server in 0..self.servers.len() {
            text += &self.declaration(server);
        }
        text += "   task type Client (Id : T) is end Client;\n   C0 : Client (0);\n";
        if self.rng.chance(1, 4) {
            text += "   C1 : Client (1);\n";
        }
        text += &format!(
            "   procedure Step (V : in out T; W : out T) is\n      Old : constant T := V;\n   begin\n\
             \x20     if V = 1 then {} end if;\n      V := 1 - Old;\n      W := Old;\n   end Step;\n",
            if self.rng.chance(1, 2) { "W := 0; return;" } else { "null;" }
        );
        let body = self.function_body();
        text += &format!("   function Is_Odd (V : T) return Boolean is\n   begin\n{body}   end Is_Odd;\n");
        for server in 0..self.servers.len() {
            text += &self.server(server);
        }
        let place = Place { server: None, in_loop: false, depth: 1, may_call: true };
        let body = self.statements(place, 3);
        text += &format!(
            "   task body Client is\n      L : T := Id;\n      B : Boolean;\n   begin\n{body}   end Client;\n"
        );
        let main = if self.rng.chance(1, 3) { "   Y := Is_Odd (1);\n" } else { "   null;\n" };
        text + &format!("begin\n{main}end Main;\n")
    }

    fn function_body(&mut self) -> String {
        match self.rng.below(3) {
            0 => "      return V = 1;\n".to_owned(),
            1 => "      if Y then return True; end if;\n      return V mod 2 = 1;\n".to_owned(),
            _ => "      for I in T loop\n         if I = V then return I = 1; end if;\n      end loop;\n\
                  \x20     return False;\n"
                .to_owned(),
        }
    }

    fn is_array(&self, server: usize) -> bool {
        self.has_array && server == 1
    }

    fn declaration(&self, server: usize) -> String {
        let entries: String = self.servers[server]
            .iter()
            .enumerate()
            .map(|(number, &form)| format!(" entry E{number}{};", formal(form, true)))
            .collect();
        match self.is_array(server) {
            true => format!(
                "   task type S{server}_Type is{entries} end S{server}_Type;\n   S{server} : array (1 .. 2) of S{server}_Type;\n"
            ),
            false => format!("   task S{server} is{entries} end S{server};\n"),
        }
    }

    fn server(&mut self, server: usize) -> String {
        let place = Place { server: Some(server), in_loop: true, depth: 1, may_call: server == 0 };
        let is_loop = self.rng.chance(1, 3);
        let body = match is_loop {
            false => self.statements(Place { in_loop: false, ..place }, 2),
            true => {
                let select = self.select(place);
                format!("loop\n{select}   end loop;\n")
            }
        };
        let name = if self.is_array(server) { format!("S{server}_Type") } else { format!("S{server}") };
        format!(
            "   task body {name} is\n      L : T := 0;\n      B : Boolean := True;\n   begin\n{body}   end {name};\n"
        )
    }

    fn statements(&mut self, place: Place, most: usize) -> String {
        (0..1 + self.rng.below(most)).map(|_| self.statement(place)).collect()
    }

    fn statement(&mut self, place: Place) -> String {
        if place.server.is_some() && self.rng.chance(2, 5) {
            return if place.depth > 0 && self.rng.chance(1, 2) {
                self.select(place)
            } else {
                self.accept(place)
            };
        }
        if place.may_call && self.rng.chance(1, 3) {
            return self.call(place);
        }
        let inner = Place { depth: place.depth.saturating_sub(1), ..place };
        let kind = if place.depth == 0 { self.rng.below(6) } else { self.rng.below(13) };
        match kind {
            0 => format!("      L := {};\n", self.number(place)),
            1 => format!("      B := {};\n", self.condition(place)),
            2 => format!("      X := {};\n", self.number(place)),
            3 => match self.rng.below(3) {
                0 => format!("      Y := {};\n", self.condition(place)),
                1 => format!("      A ({}) := {};\n", self.number(place), self.condition(place)),
                _ => "      Z := Z + 1;\n".to_owned(),
            },
            4 => {
                self.events += 1;
                format!("      pragma Annotate (Rely, Event, \"mark.{}\");\n", self.rng.below(2))
            }
            5 => match self.rng.below(3) {
                0 => "      Step (X, L);\n".to_owned(),
                1 => "      Step (L, X);\n".to_owned(),
                _ => "      C := E'Val (T'Pos (L));\n".to_owned(),
            },
            6 => format!(
                "      if {} then\n{}      elsif {} then\n{}      else\n{}      end if;\n",
                self.condition(place),
                self.statements(inner, 2),
                self.condition(place),
                self.statements(inner, 1),
                self.statements(inner, 1)
            ),
            7 => format!(
                "      case {} is\n      when 0 =>\n{}      when others =>\n{}      end case;\n",
                ["L", "X"][self.rng.below(2)],
                self.statements(inner, 1),
                self.statements(inner, 1)
            ),
            8 => {
                let body = self.statements(Place { in_loop: true, ..inner }, 2);
                format!("      while {} loop\n{body}      end loop;\n", self.condition(place))
            }
            9 => {
                self.fresh += 1;
                let name = format!("I{}", self.fresh);
                let reverse = if self.rng.chance(1, 3) { "reverse " } else { "" };
                let body = self.statements(Place { in_loop: true, ..inner }, 2);
                format!(
                    "      for {name} in {reverse}T range 0 .. {} loop\n         L := {name};\n{body}      end loop;\n",
                    self.number(place)
                )
            }
            10 if place.in_loop => format!("      exit when {};\n", self.condition(place)),
            11 => {
                let body = self.statements(inner, 2);
                // What is being declared cannot be used yet.
                let value = ["Y", "L = 0", "not A (X)", "Is_Odd (L)"][self.rng.below(4)];
                format!(
                    "      declare\n         B : Boolean := {value};\n         L : T := 1;\n      begin\n{body}      end;\n",
                )
            }
            _ => match self.rng.below(4) {
                0 => "      A := (others => Y);\n".to_owned(),
                1 => "      A := (1 => B, 0 => True);\n".to_owned(),
                2 => "      delay 0.1;\n".to_owned(),
                _ => "      null;\n".to_owned(),
            },
        }
    }

    /// An expression of the type T, which may be out of its range.
    fn number(&mut self, _: Place) -> &'static str {
        const NUMBERS: &[&str] =
            &["0", "1", "L", "L", "X", "1 - L", "L + 1", "T (Z)", "T'Last - X", "T'Succ (L)", "L mod 2"];
        NUMBERS[self.rng.below(NUMBERS.len())]
    }

    fn condition(&mut self, _: Place) -> &'static str {
        const CONDITIONS: &[&str] = &[
            "B",
            "Y",
            "not Y",
            "L = 0",
            "X = L",
            "A (L)",
            "A (X)",
            "B and then Y",
            "Y or else A (0)",
            "Y xor B",
            "Is_Odd (L)",
            "B or Is_Odd (X)",
            "Z = 0",
            "C = Red",
            "X in 0 .. L",
            "L not in 1 .. 1",
            "L < 1 and B",
        ];
        CONDITIONS[self.rng.below(CONDITIONS.len())]
    }

    // Rendezvous.

    fn accept(&mut self, place: Place) -> String {
        let server = place.server.unwrap_or(0);
        let number = self.rng.below(self.servers[server].len());
        self.accept_of(place, server, number)
    }

    fn accept_of(&mut self, place: Place, server: usize, number: usize) -> String {
        let form = self.servers[server][number];
        let heading = match form {
            Form::Family => format!("accept E{number} ({})", self.number(place)),
            _ => format!("accept E{number}{}", formal(form, false)),
        };
        let needs_body = matches!(form, Form::Out | Form::InOut);
        if !needs_body && self.rng.chance(1, 2) {
            return format!("      {heading};\n");
        }
        let inner = Place { depth: 0, in_loop: false, may_call: false, server: None };
        let first = match form {
            Form::In => "         L := P;\n",
            Form::Out if self.rng.chance(1, 5) => "         null;\n",
            Form::Out => "         P := L;\n",
            Form::InOut => "         P := 1 - P;\n",
            _ => "         null;\n",
        };
        let rest = if self.rng.chance(1, 3) { self.statement(inner) } else { String::new() };
        format!("      {heading} do\n{first}{rest}      end E{number};\n")
    }

    fn select(&mut self, place: Place) -> String {
        let server = place.server.unwrap_or(0);
        let inner = Place { depth: place.depth.saturating_sub(1), ..place };
        let mut alternatives = Vec::new();
        for number in 0..self.servers[server].len() {
            let guard = if self.rng.chance(1, 3) {
                format!("when {} => ", self.condition(place))
            } else {
                String::new()
            };
            let accept = self.accept_of(place, server, number);
            let after = if self.rng.chance(1, 2) { self.statement(inner) } else { String::new() };
            alternatives.push(format!("      {guard}{}{after}", accept.trim_start()));
        }
        let mut last = match self.rng.below(4) {
            0 => format!("      else\n{}", self.statements(inner, 1)),
            1 => "      or terminate;\n".to_owned(),
            2 => format!("      or delay 1.0;\n{}", self.statements(inner, 1)),
            _ => String::new(),
        };
        last += "      end select;\n";
        format!("      select\n{}{last}", alternatives.join("      or\n"))
    }

    fn call(&mut self, place: Place) -> String {
        // The first server calls the others, so that no task calls itself.
        let least = usize::from(place.server.is_some());
        if least >= self.servers.len() {
            return "      null;\n".to_owned();
        }
        let server = least + self.rng.below(self.servers.len() - least);
        let number = self.rng.below(self.servers[server].len());
        let task = match self.is_array(server) {
            true => format!("S{server} ({})", ["1", "2", "Integer (L) + 1"][self.rng.below(3)]),
            false => format!("S{server}"),
        };
        let arguments = match self.servers[server][number] {
            Form::Plain => String::new(),
            Form::In | Form::Family => format!(" ({})", self.number(place)),
            Form::Out | Form::InOut => format!(" ({})", ["L", "X"][self.rng.below(2)]),
        };
        let call = format!("{task}.E{number}{arguments};");
        let inner = Place { depth: place.depth.saturating_sub(1), ..place };
        match self.rng.below(5) {
            0 if place.depth > 0 => {
                let (yes, no) = (self.statements(inner, 1), self.statements(inner, 1));
                format!("      select {call}\n{yes}      else\n{no}      end select;\n")
            }
            1 if place.depth > 0 => {
                let no = self.statements(inner, 1);
                format!("      select {call}\n      or delay 1.0;\n{no}      end select;\n")
            }
            _ => format!("      {call}\n"),
        }
    }
}

/// The parameters of an entry; its family where it is declared.
fn formal(form: Form, is_declaration: bool) -> &'static str {
    match form {
        Form::Plain => "",
        Form::In => " (P : in T)",
        Form::Out => " (P : out T)",
        Form::InOut => " (P : in out T)",
        Form::Family if is_declaration => " (T)",
        Form::Family => "",
    }
}
