import type { FeatureFigures } from './feature-figures'
import { asMarkdownText } from './markdown'
import { idsText, type Risk } from './risks'

/** What a reader has to decide: the questions that the reasons of each feature at risk raise. */
export function decisionTexts(features: readonly FeatureFigures[]): string[] {
  return features
    .filter((feature) => feature.atRisk)
    .map((feature) => `**#${feature.id} ${asMarkdownText(feature.title)}**: ${questionsOn(feature).join(' ')}`)
}

function questionsOn({ id, risks }: FeatureFigures): string[] {
  const late = new Set(risks.filter(({ signal }) => signal === 'late').flatMap(({ itemIds }) => itemIds))
  const questions = risks.flatMap(({ signal, itemIds }): string[] => {
    const left = signal === 'stale' ? itemIds.filter((itemId) => !late.has(itemId)) : itemIds
    return left.length === 0 ? [] : (questionOn(id, signal, left) ?? [])
  })
  const waiting = risks.filter(({ signal }) => signal === 'waiting').flatMap(({ itemIds }) => itemIds)
  return questions.length > 0 ? questions : [`Should the work that holds up ${idsText(waiting)} be done first?`]
}

/** Waiting for other work is a question only where there is no greater one. */
function questionOn(featureId: number, signal: Risk['signal'], itemIds: readonly number[]): string[] | null {
  const ids = idsText(itemIds)
  switch (signal) {
    case 'blocked':
      return [`Who unblocks ${ids}, and by when?`]
    case 'waiting':
      return null
    case 'late':
      return [`Should ${ids} move to a later iteration, or leave the scope?`]
    case 'stale':
      return [`Should work on ${ids} go on, or stop?`]
    case 'unestimated':
      return [`Who estimates ${ids}?`]
    case 'closed-early':
      return [`Should #${featureId} be reopened, or should ${ids} be closed?`]
  }
}
