// What all pages with a scene need: a painter, arrows, axes, the camera's gestures.

const element = (id) => document.getElementById(id);

// Centre and radius of a mesh.
function boxOf({ vertices }) {
  const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  vertices.forEach((v, k) => { low[k % 3] = Math.min(low[k % 3], v); high[k % 3] = Math.max(high[k % 3], v); });
  return { centre: low.map((x, k) => (x + high[k]) / 2), radius: Math.hypot(...minus(high, low)) / 2 };
}

// WebGL where there is any, else the flat painter, with a word to the user.
function choosePainter(data, wantsFlat) {
  let painter;
  try {
    if (wantsFlat) throw new Error("asked for");
    painter = new WebGlPainter(element("scene"), data);
  } catch (error) {
    // A canvas that was asked for one kind of context gives no other.
    const fresh = element("scene").cloneNode();
    element("scene").replaceWith(fresh);
    painter = new FlatPainter(fresh, data);
    const large = painter.isTooLarge ? "; the meshes are too large for it, so that only patches and forces show" : "";
    element("message").textContent = `This browser offers no WebGL (${error.message}); a simple painter draws instead${large}.`;
    element("message").hidden = false;
  }
  document.body.dataset.renderer = painter.name;
  return painter;
}

// Gives both canvases the size that they have on the screen.
function fitCanvases() {
  const ratio = window.devicePixelRatio || 1, scene = element("scene"), overlay = element("overlay");
  const width = scene.clientWidth, height = scene.clientHeight;
  for (const canvas of [scene, overlay]) {
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
  }
  return { ratio, width, height, scene, overlay };
}

// The force on both bodies as arrows over the scene, so that no body hides them.
function drawForces({ context, camera, matrix, width, height }, place, force, mostForce) {
  const size = Math.hypot(...force), { top } = camera.axes();
  const reach = 0.2 * camera.distance * (0.25 + 0.75 * size / mostForce) / size;
  context.font = "600 13px system-ui, sans-serif";
  for (const [sign, colour, name] of [[1, "#b34a0c", "on E"], [-1, "#153a5e", "on F"]]) {
    const from = project(matrix, place);
    const to = project(matrix, plus(place, force, sign * reach));
    if (!from || !to) continue;
    const [x0, y0, x1, y1] = [from[0] * width, from[1] * height, to[0] * width, to[1] * height];
    const length = Math.hypot(x1 - x0, y1 - y0);
    if (length < 2) continue;
    const [ux, uy] = [(x1 - x0) / length, (y1 - y0) / length], head = Math.min(14, 0.5 * length);
    const arrow = () => {
      context.beginPath();
      context.moveTo(x0, y0);
      context.lineTo(x1 - head * ux, y1 - head * uy);
      context.stroke();
      context.beginPath();
      context.moveTo(x1, y1);
      context.lineTo(x1 - head * ux - 0.45 * head * uy, y1 - head * uy + 0.45 * head * ux);
      context.lineTo(x1 - head * ux + 0.45 * head * uy, y1 - head * uy - 0.45 * head * ux);
      context.closePath();
      context.fill();
    };
    context.lineJoin = "round";
    context.strokeStyle = "#ffffffcc"; context.fillStyle = "#ffffffcc"; context.lineWidth = 6; arrow();
    context.strokeStyle = context.fillStyle = colour; context.lineWidth = 3; arrow();
    const text = `${withUnit(size, "N")} ${name}`;
    context.lineWidth = 4; context.strokeStyle = "#ffffffe0";
    const tx = x1 + 10, ty = y1 + (sign * dot(force, top) > 0 ? 2 : 10);
    context.strokeText(text, tx, ty);
    context.fillText(text, tx, ty);
  }
}

// The axes of markers, each with its name, origin and columns of its turn: x red, y green, z blue.
function drawAxes({ context, camera, matrix, width, height }, markers) {
  const reach = 0.12 * camera.distance;
  context.font = "600 12px system-ui, sans-serif";
  for (const [name, origin, columns] of markers) {
    const from = project(matrix, origin);
    if (!from) continue;
    const at = (point) => [point[0] * width, point[1] * height];
    ["#c0392b", "#2e8b57", "#2c5fb3"].forEach((colour, k) => {
      const to = project(matrix, plus(origin, columns.slice(3 * k, 3 * k + 3), reach));
      if (!to) return;
      context.strokeStyle = context.fillStyle = colour;
      context.lineWidth = 2;
      context.beginPath();
      context.moveTo(...at(from));
      context.lineTo(...at(to));
      context.stroke();
      context.fillText("xyz"[k], at(to)[0] + 3, at(to)[1] - 3);
    });
    context.fillStyle = "#333";
    context.fillText(name, at(from)[0] + 6, at(from)[1] + 14);
  }
}

function drawColourBar() {
  const bar = element("colours").getContext("2d");
  for (let k = 0; k < 160; k++) {
    bar.fillStyle = `rgb(${rampColour(1 - k / 159).map((x) => Math.round(255 * x))})`;
    bar.fillRect(0, k, 14, 1);
  }
}

function handleGestures(canvas, camera, draw, reset) {
  const pointers = new Map();
  const move = (dx, dy) => {
    const { right, top } = camera.axes(), scale = 0.8 * camera.distance / canvas.clientHeight;
    camera.target = plus(plus(camera.target, right, -dx * scale), top, dy * scale);
  };
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, [event.clientX, event.clientY]);
  });
  for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, (event) => pointers.delete(event.pointerId));
  canvas.addEventListener("pointermove", (event) => {
    const before = pointers.get(event.pointerId);
    if (!before) return;
    const now = [event.clientX, event.clientY], [dx, dy] = [now[0] - before[0], now[1] - before[1]];
    if (pointers.size > 1) {
      const other = [...pointers].find(([id]) => id !== event.pointerId)[1];
      const span = (p) => Math.hypot(p[0] - other[0], p[1] - other[1]) || 1;
      camera.distance *= span(before) / span(now);
      move(dx / 2, dy / 2);
    } else if (event.shiftKey || event.buttons & 6) {
      move(dx, dy);
    } else {
      camera.yaw -= 0.008 * dx;
      camera.pitch = Math.max(-1.56, Math.min(1.56, camera.pitch + 0.008 * dy));
    }
    pointers.set(event.pointerId, now);
    draw();
  });
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    camera.distance *= Math.exp(0.0012 * event.deltaY);
    draw();
  }, { passive: false });
  canvas.addEventListener("dblclick", reset);
}

function paintedPart(canvas) {
  const copy = document.createElement("canvas");
  [copy.width, copy.height] = [160, 120];
  const context = copy.getContext("2d");
  context.drawImage(canvas, 0, 0, 160, 120);
  const pixels = context.getImageData(0, 0, 160, 120).data, paper = BACKGROUND.map((x) => 255 * x);
  let painted = 0;
  for (let k = 0; k < pixels.length; k += 4) {
    if (paper.some((x, channel) => Math.abs(pixels[k + channel] - x) > 6)) painted++;
  }
  return (painted / (160 * 120)).toFixed(4);
}

window.addEventListener("error", (event) => {
  document.body.dataset.state = "failed";
  document.body.dataset.error = event.message;
  const message = document.getElementById("message");
  message.textContent = `The page failed: ${event.message}`;
  message.hidden = false;
});
