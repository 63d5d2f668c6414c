import type { AppOptions } from '../../http/app-options'
import { type Html, html } from '../html'

/** The ways to sign in that the service has. */
export function signInForms({ people, mailLinks }: Pick<AppOptions, 'people' | 'mailLinks'>, next: string): Html {
  const others = [
    ...(people === null ? [] : [providerLink(people.label, next)]),
    ...(mailLinks === null ? [] : [mailForm()]),
  ]
  return html`${others}${
    others.length === 0
      ? ''
      : html`<p>Or use a token or a dock key:</p>
`
  }${credentialForm(next)}`
}

/** The secret of a sign-in link is after `#`, where no server or log sees it; the script of the page puts it into the field. */
function credentialForm(next: string): Html {
  return html`<form class="card" data-fragment="credential" method="post" action="/console/sign-in">
<input type="hidden" name="next" value="${next}">
<label>Token or dock key
<input type="password" name="credential" required autocomplete="off" spellcheck="false" aria-describedby="sign-in-about"></label>
<p id="sign-in-about">A token opens stories and settings, a dock key opens the docks. Sign in with one and then the other to have both.</p>
<p class="error" role="alert"></p>
<button type="submit">Sign in</button>
</form>`
}

/** The script of the page puts the secret of the link into the field. */
export function mailedLinkForm(): Html {
  return html`<form class="card" data-fragment="credential" data-manual method="post" action="/console/sign-in">
<input type="hidden" name="credential">
<p>Only sign in with a link that you have requested yourself.</p>
<p class="error" role="alert"></p>
<button type="submit">Sign in</button>
</form>`
}

function providerLink(provider: string, next: string): Html {
  const address = `/console/oidc/sign-in?${new URLSearchParams({ next })}`
  return html`<p><a class="button" href="${address}">Sign in with ${provider}</a></p>
`
}

function mailForm(): Html {
  return html`<form class="card" method="post" action="/console/sign-in/mail">
<label>E-mail address
<input type="email" name="email" required autocomplete="email"></label>
<p class="error" role="alert"></p>
<button type="submit">Send me a link</button>
</form>
`
}
