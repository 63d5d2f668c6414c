import { type Canvas, facts, printableLine } from '../layout'

/** The only time that the key is seen. */
export function renderNewKey(answer: { key: string; id: string; tenant: string }, canvas: Canvas): string {
  return [
    facts(
      [
        ['Key', canvas.colors.strong(answer.key)],
        ['Tenant', printableLine(answer.tenant)],
        ['ID', answer.id],
      ],
      canvas,
    ),
    'Keep it now: it is not shown again. Send it in the header X-API-Key.\n',
  ].join('')
}
