import { type AssetName, assetUrl } from './assets'
import { type Section, sections } from './console-page'
import { type Html, html } from './html'
import { listSettingsPages } from './settings-links'

export interface Page {
  title: string
  section: Section | null
  body: Html
  /** The name of the signed-in user or key; null where the caller is local. */
  signedInAs: string | null
  tenantChoice: Html | ''
  /** The ID of the membership that the page is written for; empty for none. */
  actingMember: string
  refreshSeconds?: number
  styles?: readonly AssetName[]
  bodyClass?: string
}

/** Scripts and styles come from files of this service, nothing is inline, and no other page may frame it. */
export const PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'X-Frame-Options': 'DENY',
  // Without an origin in its requests, a form of this service could not be told from that of another site.
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
}

export async function renderPage({ section, signedInAs, tenantChoice, actingMember, ...page }: Page): Promise<Html> {
  // An admin of the docks has other settings than one of the service.
  const [settings] = await listSettingsPages()
  const header = html`<a class="brand" href="/console">studio</a>
<nav aria-label="Console">${Object.entries(sections).map(
    ([name, { title: text, path }]) =>
      html`<a href="${name === 'settings' ? (settings?.[0] ?? path) : path}"${name === section ? html` aria-current="page"` : ''}>${text}</a>`,
  )}</nav>
<form class="find" method="get" action="/console/search" role="search" aria-label="Everything"><input type="search" name="q" placeholder="Search (/)   Go to (Ctrl K)" aria-label="Search" aria-keyshortcuts="/" maxlength="200"></form>
${tenantChoice}
${signIn(signedInAs)}`
  return renderDocument({ ...page, header, actingMember, scripts: ['palette.js'] })
}

/** A whole page, with what is above its content. */
export function renderDocument({
  title,
  header,
  body,
  actingMember = '',
  refreshSeconds,
  styles = [],
  scripts = [],
  bodyClass,
}: Pick<Page, 'title' | 'body' | 'refreshSeconds' | 'styles' | 'bodyClass'> & {
  header: Html
  actingMember?: string
  scripts?: readonly AssetName[]
}): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · studio</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${assetUrl('console.css')}">
${styles.map((name) => html`<link rel="stylesheet" href="${assetUrl(name)}">`)}
${['console.js' as const, ...scripts].map(
  // A form that is submitted before the scripts have run would not ask for confirmation. So the browser renders nothing until then.
  (name) => html`<script type="module" src="${assetUrl(name)}" blocking="render"></script>
`,
)}
${refreshSeconds === undefined ? '' : html`<noscript><meta http-equiv="refresh" content="${refreshSeconds}"></noscript>`}
</head>
<body${refreshSeconds === undefined ? '' : html` data-refresh="${refreshSeconds}"`}${bodyClass === undefined ? '' : html` class="${bodyClass}"`}${actingMember === '' ? '' : html` data-acting-member="${actingMember}"`}>
<a class="skip" href="#main">Skip to the content</a>
<header class="top">
${header}
</header>
<main id="main" tabindex="-1">
${body}
</main>
<div id="status" role="status" aria-live="polite"></div>
</body>
</html>
`
}

function signIn(signedInAs: string | null): Html {
  if (signedInAs === null) return html`<a class="account" href="/console/sign-in">Sign in</a>`
  return html`<form class="account" method="post" action="/console/sign-out">
<span>${signedInAs}</span> <button type="submit" class="quiet">Sign out</button>
</form>`
}
