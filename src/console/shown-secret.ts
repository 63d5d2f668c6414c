import { type Html, html } from './html'

/** A new secret, which is shown once. */
export const secret = (name: string, text: string, use: string): Html =>
  html`<section class="notice" role="status"><p>Copy the ${name} now: it is not shown again.</p>
<p><code class="secret">${text}</code></p><p>${use}</p></section>`

/** What the secret of a webhook or of a check is for. */
export const SECRET_USE = 'Your system checks the signatures of this service with the secret.'
