/** An error of the service, with what to do, `details` by field, and parts of a page that lead on. */
export function toError({ message, hint, details, html, links, offers, signIn }) {
  const text = [message, hint].filter(Boolean).join(' ')
  return Object.assign(new Error(text), { details, html, links, offers, signIn })
}
