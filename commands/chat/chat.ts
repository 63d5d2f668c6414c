import { Command } from 'commander'
import { StudioError } from '../../src/kernel'
import { addHelpText } from '../help'
import type { StandaloneCommand } from '../standalone-commands'
import { chatInput } from './chat-input'
import { converse } from './converse'
import { slashHelp } from './slash-commands'

export const chat: StandaloneCommand = {
  build() {
    const command = new Command('chat')
      .description('Talk with the language model about a story')
      .option('--draft <id>', 'a draft whose texts the model gets to see', idOf('--draft'))
      .option('--item <id>', 'a cached work item whose texts the model gets to see', idOf('--item'))
      .option('--prompt <name>', 'begin with this prompt template')
      .option('--model <name>', 'which model answers (default: STUDIO_LLM_MODEL, else the first installed)')
    return addHelpText(command, {
      about: [
        'Ctrl-C stops an answer; Ctrl-D leaves. Nothing is saved but by /save. Lines that are piped in are a turn each, and with --json the',
        'answers are lines of JSON.',
        '',
        slashHelp,
      ].join('\n'),
      examples: ['studio chat', 'studio chat --draft 1', 'studio chat --item 204 --prompt acceptance-criteria'],
      related: ['llm models', 'prompt list', 'draft refine'],
    })
  },

  async run(command, invocation) {
    const flags = command.opts() as { draft?: number; item?: number; prompt?: string; model?: string }
    if (flags.draft !== undefined && flags.item !== undefined)
      throw new StudioError('invalid', 'Give either --draft or --item, not both.', { hint: 'See: studio chat --help' })
    const input = chatInput(invocation)
    try {
      return await converse(input, invocation, {
        story:
          flags.draft !== undefined
            ? { kind: 'draft', id: flags.draft }
            : flags.item !== undefined
              ? { kind: 'item', id: flags.item }
              : null,
        promptId: flags.prompt ?? null,
        model: flags.model ?? null,
      })
    } finally {
      input.close()
    }
  },
}

function idOf(flag: string): (text: string) => number {
  return (text) => {
    if (/^[1-9]\d{0,15}$/.test(text)) return Number(text)
    throw new StudioError('invalid', `${flag} must be an ID, not "${text}".`)
  }
}
