import { say } from './say.js'

/** A link with `data-dialog` opens its page in a dialog. */
document.addEventListener('click', (event) => {
  const link = event.target.closest?.('a[data-dialog]')
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
  event.preventDefault()
  openDialog(link.getAttribute('href'))
})

export async function openDialog(address) {
  const response = await fetch(address).catch(() => null)
  if (response === null) return say('The service cannot be reached. Try again.')
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  const dialog = document.createElement('dialog')
  dialog.dataset.live = ''
  const close = document.createElement('button')
  close.type = 'button'
  close.className = 'close quiet'
  close.textContent = 'Close'
  close.addEventListener('click', () => dialog.close())
  dialog.append(close, ...page.querySelector('main').childNodes)
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
