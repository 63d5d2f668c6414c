import { openDialog, post, replacePart, say } from './console.js'

const board = document.getElementById('board')

/** The service sends the parts that have changed. It also says which date, hours and doors it shows: for others the page is loaded again. */
const updates = new EventSource(board.dataset.live)
updates.addEventListener('parts', ({ data }) => {
  const { shape, parts } = JSON.parse(data)
  if (shape !== board.dataset.shape) return loadAgain()
  const focused = document.activeElement?.id
  for (const [id, html] of Object.entries(parts)) replacePart(id, html)
  if (focused && document.activeElement === document.body) document.getElementById(focused)?.focus()
})

/** A dialog that is being filled in is not taken away. */
function loadAgain() {
  const dialog = document.querySelector('dialog')
  if (dialog) dialog.addEventListener('close', () => location.reload())
  else location.reload()
}

board.querySelector('.now')?.scrollIntoView({ block: 'nearest', inline: 'center' })

const [from, to] = [Number(board.dataset.from), Number(board.dataset.to)]

setInterval(() => {
  const line = board.querySelector('.now')
  const x = `${((Date.now() - from) / (to - from)) * 100}%`
  line?.setAttribute('x1', x)
  line?.setAttribute('x2', x)
}, 20_000)

/** An appointment is dragged to another time or door. The service decides, and a refusal says why. */
let drag = null
board.addEventListener('dragstart', (event) => event.preventDefault())
board.addEventListener('pointerdown', (event) => {
  const load = event.target.closest('a[data-start]')
  if (load && event.button === 0 && event.pointerType === 'mouse') drag = { load, x: event.clientX, y: event.clientY }
})
document.addEventListener('pointermove', (event) => {
  if (!drag) return
  const [x, y] = [event.clientX - drag.x, event.clientY - drag.y]
  drag.isMoved ||= Math.hypot(x, y) > 8
  if (drag.isMoved) drag.load.setAttribute('transform', `translate(${x} ${y})`)
})
document.addEventListener('pointerup', (event) => {
  if (!drag?.isMoved) {
    drag = null
    return
  }
  const { load, x } = drag
  drag = null
  load.removeAttribute('transform')
  // The click that ends a drag does not open the appointment.
  window.addEventListener('click', (click) => click.stopPropagation() ?? click.preventDefault(), {
    capture: true,
    once: true,
  })
  const lane = document.elementsFromPoint(event.clientX, event.clientY).find((element) => element.matches('svg.lane'))
  if (!lane) return
  const minutes = ((event.clientX - x) / lane.getBoundingClientRect().width) * ((to - from) / 60_000)
  move(load, { minutes, door: lane.dataset.door })
})

/** To the nearest quarter of an hour; an appointment that is dragged to another door alone keeps its start. */
async function move(load, { minutes, door }) {
  const start = Date.parse(load.dataset.start) + Math.round(minutes / 15) * 15 * 60_000
  try {
    const fields = { id: load.id.slice('load-'.length), startTime: new Date(start).toISOString(), doorId: door }
    say((await post('/console/run/appointments.reschedule', fields)).message)
  } catch (error) {
    say(error.message)
  }
}

/** A double click on a free place opens the booking form with its time and door. */
board.addEventListener('dblclick', (event) => {
  const lane = event.target.closest('svg.lane')
  if (!lane || event.target.closest('a')) return
  const { left, width } = lane.getBoundingClientRect()
  const share = (event.clientX - left) / width
  const hours = [...board.querySelectorAll('.hours text')]
  const at = hours.at(Math.floor(share * hours.length))?.textContent ?? ''
  const link = document.querySelector('a[data-book]')
  openDialog(`${link.getAttribute('href')}&${new URLSearchParams({ at, door: lane.dataset.door })}`)
})
