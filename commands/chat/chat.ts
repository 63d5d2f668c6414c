import { StudioError } from '../../src/kernel'
import type { StandaloneCommand } from '../operation/command-parts'
import { chatInput } from './chat-input'
import { converse } from './converse'
import { slashHelp, toItemName } from './slash-commands'

export const chat: StandaloneCommand = {
  define(command) {
    command
      .option('--draft <id>', 'Draft to talk about; the model sees its texts', parseIdOf('--draft'))
      .option('--item <id>', 'Cached work item to talk about; the model sees its texts')
      .option('--prompt <name>', 'Start with this prompt template')
      .option('--model <name>', 'Model to use (default: STUDIO_LLM_MODEL, else the first installed)')
    return {
      about: [
        'Ctrl-C stops an answer, and Ctrl-D exits. Only /save saves anything. Each line of piped input is a message. With --json the',
        'answers are JSON lines.',
        '',
        slashHelp,
      ].join('\n'),
      examples: ['studio chat', 'studio chat --draft 1', 'studio chat --item 204 --prompt acceptance-criteria'],
      related: ['llm models', 'prompt list', 'draft refine'],
    }
  },

  async run(command, invocation) {
    const flags = command.opts() as { draft?: number; item?: string; prompt?: string; model?: string }
    if (flags.draft !== undefined && flags.item !== undefined)
      throw new StudioError('invalid', 'Specify either --draft or --item, not both.', {
        hint: 'See: studio chat --help',
      })
    const input = chatInput(invocation)
    try {
      return await converse(input, invocation, {
        story:
          flags.draft !== undefined
            ? { kind: 'draft', id: flags.draft }
            : flags.item !== undefined
              ? { kind: 'item', id: toItemName(flags.item) }
              : null,
        promptId: flags.prompt ?? null,
        model: flags.model ?? null,
      })
    } finally {
      input.close()
    }
  },
}

function parseIdOf(flag: string): (text: string) => number {
  return (text) => {
    if (/^[1-9]\d{0,15}$/.test(text)) return Number(text)
    throw new StudioError('invalid', `${flag} must be an ID, not "${text}".`)
  }
}
