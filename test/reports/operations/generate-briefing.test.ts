import { describe, expect, it } from 'vitest'
import { execute } from '../../../src/kernel'
import { generateBriefing } from '../../../src/reports/operations/generate-briefing'
import { briefingText } from '../../../src/reports/rules/briefing-text'
import { figuresOf } from '../../../src/reports/rules/figures'
import { contextOver, NOW } from '../report-context'
import { shop } from '../sample-workspace'

describe('reports.briefing', () => {
  it('writes the deterministic text from what is cached, with the figures behind it', async () => {
    const briefing = await execute(generateBriefing, { mode: 'deterministic' }, await contextOver(shop))
    expect(briefing).toEqual({
      mode: 'deterministic',
      model: null,
      notice: null,
      markdown: briefingText(figuresOf(shop)),
      generatedAt: NOW,
      basis: figuresOf(shop),
    })
  })

  it('takes auto as the mode, and says that no model took part', async () => {
    const briefing = await execute(generateBriefing, {}, await contextOver(shop))
    expect(briefing).toMatchObject({
      mode: 'deterministic',
      notice: 'No language model took part: this is the deterministic text.',
    })
  })

  it('gives the same bytes in whatever order and at whatever time', async () => {
    const later = { ...(await contextOver(shop.toReversed())), clock: { now: () => Date.parse(NOW) + 1e10 } }
    const [first, second] = [
      await execute(generateBriefing, {}, await contextOver(shop)),
      await execute(generateBriefing, {}, later),
    ]
    expect(second.markdown).toBe(first.markdown)
    expect(second.basis).toEqual(first.basis)
    expect(second.generatedAt).not.toBe(first.generatedAt)
  })

  it('narrows to the features that are named', async () => {
    const { basis } = await execute(generateBriefing, { featureIds: [102, 103, 102] }, await contextOver(shop))
    expect(basis.features.map(({ id }) => id)).toEqual([102, 103])
  })

  it('tells of an empty workspace how to fill it', async () => {
    const { markdown, basis } = await execute(generateBriefing, {}, await contextOver([]))
    expect(markdown).toContain('studio import <featureId>')
    expect(basis.asOf).toBeNull()
  })

  it('names the features that are not cached, and the command that fetches them', async () => {
    const refused = execute(generateBriefing, { featureIds: [101, 7, 8] }, await contextOver(shop))
    await expect(refused).rejects.toMatchObject({
      code: 'not_found',
      message: 'Not in the workspace: #7, #8.',
      hint: 'Import each with its tree: studio import 7',
      details: [
        { path: 'featureIds', message: '#7 is not in the workspace' },
        { path: 'featureIds', message: '#8 is not in the workspace' },
      ],
    })
  })

  it.each([
    [{ mode: 'ai' }, 'mode'],
    [{ featureIds: [0] }, 'featureIds.0'],
  ])('refuses %j', async (input, path) => {
    const refused = execute(generateBriefing, input, await contextOver([]))
    await expect(refused).rejects.toMatchObject({ code: 'invalid', details: [{ path }] })
  })
})
