import { toError } from './service-error.js'

/**
 * Sends fields, shows in `place` what the service writes meanwhile, and returns its answer; null if the reader has stopped it. The service
 * stops working when the request ends.
 */
export async function sendStreamed(action, fields, place) {
  const stop = new AbortController()
  const live = openLive(place, () => stop.abort())
  try {
    const response = await fetch(action, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'text/event-stream' },
      body: JSON.stringify(fields),
      signal: stop.signal,
    })
    if (!response.ok) throw toError(await response.json())
    for await (const { event, data } of readEvents(response.body)) {
      if (event === 'error') throw toError(data)
      if (event === 'done') return data
      live.show(data)
    }
    throw new Error('The connection ended before the answer did. Try again.')
  } catch (error) {
    if (stop.signal.aborted) return null
    throw error
  } finally {
    live.close()
  }
}

/** A status line, which screen readers read, and below it the text as it is written, which they read at the end. */
function openLive(place, stop) {
  const section = document.createElement('section')
  section.className = 'card wide'
  section.ariaLabel = 'Answer that is being written'
  const status = document.createElement('p')
  status.setAttribute('role', 'status')
  const text = document.createElement('pre')
  text.className = 'writing'
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'quiet'
  button.textContent = 'Stop'
  button.addEventListener('click', stop)
  section.append(status, text, button)
  place.replaceChildren(section)
  status.textContent = 'Waiting for the language model'
  return {
    show({ message, text: piece = '' }) {
      if (message) {
        status.textContent = message
        text.replaceChildren()
      }
      text.append(piece)
      text.scrollTop = text.scrollHeight
    },
    close: () => section.remove(),
  }
}

/** The server-sent events of a response. Lines that begin with a colon are pings. */
export async function* readEvents(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const { done, value = '' } = await reader.read()
    if (done) return
    const blocks = (rest + value).split('\n\n')
    rest = blocks.pop()
    for (const block of blocks) {
      const [, event] = /^event: (.*)$/m.exec(block) ?? []
      const [, data] = /^data: (.*)$/m.exec(block) ?? []
      if (event) yield { event, data: JSON.parse(data) }
    }
  }
}
