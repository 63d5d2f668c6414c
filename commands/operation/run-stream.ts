import { type AnyOperation, executeStream, type StreamEvent } from '../../src/kernel'
import type { Invocation } from '../start/invocation'
import { canvasFor } from '../terminal/colors'
import { escapeForTerminal } from '../terminal/format-json'
import { getOperationUi } from './operation-ui'
import { withStudio } from './with-studio'

/** Whether the result is printed as it arrives: for users if the operation has a view of its parts, as JSON lines if that is its usual form. */
export function comesInParts({ id, stream }: AnyOperation, { flags }: Invocation): boolean {
  if (flags.json) return stream?.byDefault === true
  return stream !== undefined && getOperationUi(id).part !== undefined
}

/** Shows the parts of an answer as they come; with `--json` a line each. */
export async function runStream(operation: AnyOperation, input: unknown, invocation: Invocation): Promise<number> {
  const show = invocation.flags.json ? jsonLines(invocation) : await partsText(operation, invocation)
  await withStudio(operation, invocation, async (context, progress) => {
    try {
      for await (const event of executeStream(operation, input, context)) show.part(event, progress)
    } finally {
      show.end()
    }
  })
  return 0
}

interface Shown {
  part(event: StreamEvent, progress: { end(): void }): void
  /** Called also when the answer breaks off. */
  end(): void
}

function jsonLines({ terminal }: Invocation): Shown {
  return { part: (event) => terminal.out(`${escapeForTerminal(JSON.stringify(event))}\n`), end() {} }
}

async function partsText(operation: AnyOperation, { terminal, flags }: Invocation): Promise<Shown> {
  const { colors } = canvasFor('err', { flags, terminal })
  const view = await getOperationUi(operation.id).part!()
  let atLineStart = true
  return {
    part(event, progress) {
      const { out = '', err = '' } = view(event, colors)
      if (out !== '') {
        progress.end()
        terminal.out(out)
        atLineStart = out.endsWith('\n')
      }
      if (err === '' || flags.quiet) return
      if (!atLineStart) terminal.out('\n')
      atLineStart = true
      terminal.err(err)
    },
    end() {
      if (!atLineStart) terminal.out('\n')
    },
  }
}
