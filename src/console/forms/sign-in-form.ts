import { type Html, html } from '../html'

/** The secret of a sign-in link is after `#`, where no server or log sees it; the script of the page puts it into the field. */
export function signInForm({ next, provider }: { next: string; provider: string | null }): Html {
  return html`${provider === null ? '' : providerLink(provider, next)}<form class="card" id="sign-in" method="post" action="/console/sign-in">
<input type="hidden" name="next" value="${next}">
<label>Token or dock key
<input type="password" name="credential" required autocomplete="off" spellcheck="false" aria-describedby="sign-in-about"></label>
<p id="sign-in-about">A token opens stories and settings, a dock key opens the docks. Sign in with one and then the other to have both.</p>
<p class="error" role="alert"></p>
<button type="submit">Sign in</button>
</form>`
}

function providerLink(provider: string, next: string): Html {
  const address = `/console/oidc/sign-in?${new URLSearchParams({ next })}`
  return html`<p><a class="button" href="${address}">Sign in with ${provider}</a></p>
<p>Or use a token or a dock key:</p>
`
}
