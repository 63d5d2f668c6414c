import './autosave.js'
import './dialog.js'
import './forms.js'
import './refresh.js'
import './times.js'

export { openDialog } from './dialog.js'
export { replacePart } from './forms.js'
export { post } from './requests.js'
export { say } from './say.js'

/** What every page of the console has. Pages can be read without it. */

document.addEventListener('click', (event) => event.target.closest?.('button[data-print]') && print())

/** `/` goes to the search box of a page. */
document.addEventListener('keydown', (event) => {
  const isTyping = event.target.closest?.('input, textarea, select, dialog')
  const box = document.querySelector('input[type=search]')
  if (event.key !== '/' || isTyping || !box) return
  event.preventDefault()
  box.focus()
})

/** A link has its secret after `#`. It leaves the address bar before it is used. A form with `data-manual` waits for its button. */
const linked = document.querySelector('form[data-fragment]')
if (linked && location.hash.startsWith('#studio_')) {
  linked.elements.namedItem(linked.dataset.fragment).value = location.hash.slice(1)
  history.replaceState(null, '', location.pathname)
  if (linked.dataset.manual === undefined) linked.requestSubmit()
}
