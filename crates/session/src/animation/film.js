// The controls of a film: a slider, buttons, keys, and the list of steps.
const film = JSON.parse(document.getElementById("film").textContent);
const player = new Player(document.querySelector("svg"), film);
const [slider, counter, list] = ["slider", "counter", "steps"].map((id) => document.getElementById(id));
let step = 0;
let timer = 0;
const go = (to) => {
  step = Math.max(0, Math.min(to, film.steps.length));
  slider.value = step;
  counter.textContent = `step ${step} of ${film.steps.length}`;
  player.go(step);
  [...list.children].forEach((row, i) => {
    if (i === step) row.setAttribute("aria-current", "step");
    else row.removeAttribute("aria-current");
  });
};
const pause = () => {
  clearInterval(timer);
  timer = 0;
  document.getElementById("play").textContent = "Play";
};
const play = () => {
  if (timer) return pause();
  if (step === film.steps.length) go(0);
  document.getElementById("play").textContent = "Pause";
  timer = setInterval(() => (step < film.steps.length ? go(step + 1) : pause()), 700);
};
slider.max = film.steps.length;
slider.oninput = () => (pause(), go(Number(slider.value)));
document.getElementById("play").onclick = play;
document.getElementById("back").onclick = () => (pause(), go(step - 1));
document.getElementById("on").onclick = () => (pause(), go(step + 1));
[...list.children].forEach((row, i) => (row.firstElementChild.onclick = () => (pause(), go(i))));
document.addEventListener("keydown", (event) => {
  const move = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (move && event.target !== slider) go(step + move);
});
go(0);
