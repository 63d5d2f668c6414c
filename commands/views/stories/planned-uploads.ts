import { formatByteSize } from '../../../src/kernel/files/byte-size'
import { printableLine } from '../../terminal/layout'

/** The images of texts that a call attaches, a line each. */
export function renderPlannedUploads(
  uploads: readonly { name: string; bytes: number }[],
  { dryRun }: { dryRun: boolean },
): string {
  const verb = dryRun ? 'would attach' : 'attached'
  return uploads.map(({ name, bytes }) => `${verb} ${printableLine(name)} (${formatByteSize(bytes)})\n`).join('')
}
