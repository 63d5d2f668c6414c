import type { ResultOf } from '../../catalog'
import { loadQrCode } from '../../docks'
import type { ConsolePage } from '../console-page'
import { operationForm } from '../forms/operation-form'
import { type Html, html, raw } from '../html'
import { facilityPath } from '../pages/docks/facility-path'
import { secret } from '../shown-secret'

/** Signs a screen in that shows the board on a wall. */
export const screensPage: ConsolePage = {
  section: 'docks',
  access: { docks: 'manager' },
  async render({ run, params, may }) {
    const { code, name } = await run('facilities.get', { id: params['code']! })
    return {
      title: `Screens of ${code}`,
      body: html`<h1>${code} ${name}: a screen</h1>
<p>A screen shows the board on a wall. It may look at the docks and do nothing else, and stays signed in while it is used.</p>
${operationForm('sessions.create-screen', {
  className: 'card',
  hidden: { next: `${facilityPath(code)}?wall` },
  fields: [{ name: 'name', attributes: { placeholder: 'North dock' } }],
  word: 'Create the link of the screen',
})}
<p>Administrators see all screens, and end them, under ${(await may('sessions.list')) ? html`<a href="/console/settings">Settings, Security &amp; Access</a>` : 'Settings, Security & Access'}.</p>
<p><a href="${facilityPath(code)}">Board of ${code}</a></p>`,
    }
  },
}

/** The link is shown once. It leads to the wall of the facility, which `next` names. */
export async function renderNewScreen(
  { name, link }: ResultOf<'sessions.create-screen'>,
  { next }: { next?: unknown },
): Promise<Html> {
  const [page, token] = link.split('#') as [string, string]
  const whole = `${page}?${new URLSearchParams({ next: String(next) })}#${token}`
  const use = `Open it on the screen ${name} within ten minutes. It works once.`
  if (!whole.includes('://')) return secret('link', whole, `${use} Put the address of the service before it.`)
  const { drawQrSvg } = await loadQrCode()
  return html`${secret('link', whole, use)}<figure class="code">${raw(drawQrSvg(whole, name))}</figure>`
}
