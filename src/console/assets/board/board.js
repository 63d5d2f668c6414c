import './drag.js'
import './filter.js'
import './keys.js'
import './live.js'

/** The line of the current time, and the clock of a wall. */
const board = document.getElementById('board')
const [from, to] = [Number(board.dataset.from), Number(board.dataset.to)]
const clock = document.getElementById('clock')
const printed = document.getElementById('printed')
const format = (style) => new Intl.DateTimeFormat('en-GB', { ...style, timeZone: board.dataset.zone }).format()

function tick() {
  const line = board.querySelector('.now line')
  const x = `${((Date.now() - from) / (to - from)) * 100}%`
  line?.setAttribute('x1', x)
  line?.setAttribute('x2', x)
  if (clock) clock.textContent = format({ timeStyle: 'short' })
}
setInterval(tick, 5000)
tick()

/** A long day begins at the present hour. */
const scroller = board.closest('.scroll')
if (scroller && board.querySelector('.now line')) {
  const door = 128
  scroller.scrollLeft = ((Date.now() - from) / (to - from)) * (board.scrollWidth - door) - scroller.clientWidth / 3
}

addEventListener('beforeprint', () => {
  if (printed) printed.textContent = format({ dateStyle: 'medium', timeStyle: 'short' })
})
