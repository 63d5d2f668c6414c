import type { PortalSession } from '../../access'
import type { PageContent } from '../console-page'
import { type Html, html } from '../html'
import { renderDocument } from '../layout'

/** A page of the portal, with the carrier and no menu. */
export function renderPortalPage(page: PageContent, session: PortalSession | null): Html {
  const header = html`<a class="brand" href="/portal">Dock appointments</a>
${session === null ? '' : account(session)}`
  return renderDocument({ ...page, header })
}

function account({ carrier }: PortalSession): Html {
  return html`<form class="account" method="post" action="/portal/sign-out">
<span>${carrier}</span> <button type="submit" class="quiet">Sign out</button>
</form>`
}
