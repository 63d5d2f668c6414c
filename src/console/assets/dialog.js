import { say } from './say.js'

/** A link with `data-dialog` opens its page in a dialog. */
document.addEventListener('click', (event) => {
  const link = event.target.closest?.('a[data-dialog]')
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
  event.preventDefault()
  openDialog(link.getAttribute('href'))
})

let asking = null

/** A double click asks twice and opens one. */
export async function openDialog(address) {
  asking?.abort()
  asking = new AbortController()
  const { signal } = asking
  const text = await fetch(address, { signal })
    .then((response) => response.text())
    .catch(() => '')
  if (signal.aborted) return
  const main = new DOMParser().parseFromString(text, 'text/html').querySelector('main')
  // A proxy in between answers with a page of its own.
  if (main === null) return say('The service cannot be reached. Try again.')
  const dialog = document.createElement('dialog')
  dialog.dataset.live = ''
  const close = document.createElement('button')
  close.type = 'button'
  close.className = 'close quiet'
  close.textContent = 'Close'
  close.addEventListener('click', () => dialog.close())
  dialog.append(close, ...main.childNodes)
  const title = dialog.querySelector('h1')
  if (title) {
    title.id = 'dialog-title'
    // Screen readers begin there, and the next key leads to the first field.
    title.tabIndex = -1
    title.autofocus = true
    dialog.setAttribute('aria-labelledby', 'dialog-title')
  }
  dialog.addEventListener('close', () => dialog.remove())
  document.body.append(dialog)
  dialog.showModal()
}
