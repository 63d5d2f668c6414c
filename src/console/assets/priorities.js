/** Orders the chosen features by their buttons and by dragging. Nothing is saved before the form is sent. */

const list = document.getElementById('ranking')
const form = list.closest('form')
const output = form.querySelector('output')

const isChosen = (entry) => entry.querySelector('input').checked
const chosen = () => [...list.children].filter(isChosen)

for (const entry of list.children) {
  const handle = document.createElement('span')
  handle.className = 'handle'
  handle.setAttribute('aria-hidden', 'true')
  handle.textContent = '⠿'
  entry.prepend(handle)
}

/** Screen readers read the new place. */
function report(entry) {
  const places = chosen()
  const at = places.indexOf(entry) + 1
  const title = entry.querySelector('label').textContent.trim()
  form.dataset.unsaved = ''
  output.textContent = `${at > 0 ? `${title}: ${at} of ${places.length}.` : `${title}: not chosen.`} Not saved yet`
}

list.addEventListener('click', (event) => {
  const button = event.target.closest('button[name=move]')
  if (!button) return
  event.preventDefault()
  const entry = button.closest('li')
  const isUp = button.value.startsWith('up-')
  const neighbor = isUp ? entry.previousElementSibling : entry.nextElementSibling
  if (neighbor && isChosen(neighbor)) neighbor[isUp ? 'before' : 'after'](entry)
  button.focus()
  report(entry)
})

/** A feature that is chosen comes last, and one that is not chosen any more comes after the others. */
list.addEventListener('change', ({ target }) => {
  const entry = target.closest('li')
  const last = chosen()
    .filter((other) => other !== entry)
    .at(-1)
  if (last) last.after(entry)
  else list.prepend(entry)
  target.focus()
  report(entry)
})

let dragged = null
list.addEventListener('pointerdown', (event) => {
  if (event.button !== 0 || !event.target.matches('.handle')) return
  dragged = event.target.closest('li')
  dragged.classList.add('dragged')
  event.target.setPointerCapture(event.pointerId)
  event.preventDefault()
})
list.addEventListener('pointermove', ({ clientY }) => {
  if (!dragged) return
  const others = chosen().filter((entry) => entry !== dragged)
  const next = others.find((entry) => {
    const { top, height } = entry.getBoundingClientRect()
    return clientY < top + height / 2
  })
  if (next) {
    if (dragged.nextElementSibling !== next) next.before(dragged)
  } else if (others.length > 0 && others.at(-1).nextElementSibling !== dragged) others.at(-1).after(dragged)
  dragged.scrollIntoView({ block: 'nearest' })
})
for (const end of ['pointerup', 'pointercancel'])
  list.addEventListener(end, () => {
    if (!dragged) return
    dragged.classList.remove('dragged')
    report(dragged)
    dragged = null
  })
