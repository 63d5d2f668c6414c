import { facilityAttention } from '../../attention/dock-attention'
import { attention } from '../../components/attention'
import { empty } from '../../components/page-head'
import type { ConsolePage } from '../../console-page'
import { html } from '../../html'
import { facilityHead } from './facility-head'

const MAX_OF_KIND = 200

/** All that waits for a person at a facility. */
export const attentionPage: ConsolePage = {
  section: 'docks',
  access: { docks: 'viewer' },
  async render(request) {
    const facility = await request.run('facilities.get', { id: request.params['code']! })
    const entries = await facilityAttention(request, facility, { ofKind: MAX_OF_KIND })
    return {
      title: `Attention at ${facility.code}`,
      refreshSeconds: 60,
      body: html`${facilityHead(facility, '/attention')}
${
  entries.length === 0
    ? empty(
        'Nothing waits for a person. Trucks that are late or too long at a door, conflicts, dates of series without a slot and offers that expire are listed here.',
      )
    : attention(entries)
}
<p class="legend">Times in ${facility.timeZone}</p>`,
    }
  },
}
