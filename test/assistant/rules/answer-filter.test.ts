import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AnswerFilter, removeUnopenedThinking } from '../../../src/assistant/rules/answers/answer-filter'
import { ANSWER_MARKS, THINKING_MARKS } from '../../../src/assistant/rules/answers/thinking-marks'

function answerOf(pieces: readonly string[]): string {
  const filter = new AnswerFilter()
  return pieces.map((piece) => filter.read(piece)).join('') + filter.end()
}

/** As it is, and cut everywhere. */
function expectAnswer(text: string, answer: string): void {
  expect(answerOf([text])).toBe(answer)
  expect(answerOf([...text])).toBe(answer)
}

describe('thinking', () => {
  it.each([
    ['Hello', 'Hello'],
    ['<think>a</think>b', 'b'],
    ['\n<think>a</think>\n\nb', 'b'],
    ['<think>a</think><think>b</think>c', 'c'],
    ['<think>a</think>[THINK]b[/THINK]c', 'c'],
    ['<think>never ends', ''],
    ['<thin', '<thin'],
    ['<thinker> is a tag', '<thinker> is a tag'],
    ['a <think>b</think>', 'a <think>b</think>'],
    ['analysis of the story', 'analysis of the story'],
    ['', ''],
  ])('is removed from %j: %j', (text, answer) => {
    expectAnswer(text, answer)
  })

  it.each(THINKING_MARKS)('is removed between %s and %s, and an answer may mention the marks', (open, close) => {
    expectAnswer(`${open}I wonder ${open}\nwhat.${close}\n\nYes, ${open}.`, `Yes, ${open}.`)
    expectAnswer(`Write ${open}x${close} around it.`, `Write ${open}x${close} around it.`)
  })

  it('has opening marks of which none begins with another one', () => {
    const opens = [...THINKING_MARKS, ...ANSWER_MARKS].map(([open]) => open)
    expect(opens.filter((open) => opens.some((other) => other !== open && open.startsWith(other)))).toEqual([])
  })

  it.each([
    // Hunyuan: huggingface.co/tencent/Hunyuan-A13B-Instruct
    ['<think>\nHm.\n</think>\n<answer>\nYes, <answer>.\n</answer>', 'Yes, <answer>.\n'],
    // ERNIE: huggingface.co/baidu/ERNIE-4.5-21B-A3B-Thinking
    ['<think>\nHm.\n</think>\n\n<response>\nYes.\n</response>\n', 'Yes.\n\n'],
    // OpenThinker: huggingface.co/open-thoughts/OpenThinker-7B
    [
      '<|begin_of_thought|>\n\nHm.\n\n<|end_of_thought|>\n\n<|begin_of_solution|>\n\nYes.\n\n<|end_of_solution|>',
      'Yes.\n\n',
    ],
    // Command A: the parser of Ollama, model/parsers/cohere.go
    ['<|START_THINKING|>Hm.<|END_THINKING|><|START_TEXT|>Yes.<|END_TEXT|>', 'Yes.'],
    ['<|START_RESPONSE|>Yes.<|END_RESPONSE|>', 'Yes.'],
    // Gemma 4: the parser of vLLM, gemma4_reasoning_parser.py
    ['<|channel>thought\nHm.<channel|>\nYes.', 'Yes.'],
    ['<answer>42</answer>', '<answer>42</answer>'],
  ])('and the marks around the answer are removed: %j', (text, answer) => {
    expectAnswer(text, answer)
  })

  /** The format is in github.com/openai/harmony/blob/main/docs/format.md */
  it.each([
    [
      '<|channel|>analysis<|message|>User asks: "What is 2 + 2?" Simple.<|end|><|start|>assistant<|channel|>final<|message|>2 + 2 = 4.<|return|>',
      '2 + 2 = 4.',
    ],
    [
      '<|start|>assistant<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>commentary<|message|>b<|end|><|start|>assistant<|channel|>final <|constrain|>json<|message|>{"a":1}',
      '{"a":1}',
    ],
    ['<|start|>assistant<|message|>No channel.<|end|>', 'No channel.'],
    ['<|channel|>final<|message|>a < b |> <|en', 'a < b |> <|en'],
    [
      '<|channel|>final<|message|>One.<|channel|>analysis<|message|>more<|end|><|start|>assistant<|channel|>final<|message|> Two.',
      'One. Two.',
    ],
    ['<|channel|>commentary to=functions.f <|constrain|>json<|message|>{}<|call|>', ''],
    ['<|channel|>analysis<|message|>never ends', ''],
    ['<|channel|>anal', ''],
    [`<|channel|>${'x'.repeat(2_000)}<|end|><|start|>assistant<|channel|>final<|message|>Yes.`, 'Yes.'],
  ])('on channels of Harmony is removed: %j', (text, answer) => {
    expectAnswer(text, answer)
  })

  it.each([
    ['analysisThe user greets.assistantfinalHello!', 'Hello!'],
    ['analysisResult is a good name.', 'analysisResult is a good name.'],
  ])('on channels whose marks the server leaves out is removed: %j', (text, answer) => {
    expect(answerOf([text])).toBe(answer)
    expect(answerOf(['analysis', ...text.slice('analysis'.length)])).toBe(answer)
  })

  it('is known to have been there', () => {
    const hasHidden = (text: string) => {
      const filter = new AnswerFilter()
      filter.read(text)
      return filter.hasHidden
    }
    expect(['<think>a', '<|channel|>analysis<|message|>a', 'analysisSo.assistantfinal'].map(hasHidden)).toEqual([
      true,
      true,
      true,
    ])
    expect(['Hello', '<|channel|>final<|message|>a', 'analysisSo.'].map(hasHidden)).toEqual([false, false, false])
  })

  it('is removed no matter how the text is split into parts', () => {
    const marks = [...THINKING_MARKS, ...ANSWER_MARKS].flat()
    const text = fc
      .array(
        fc.constantFrom(
          ...marks,
          ...['<thi', 'nk>', ' ', '\n', 'word', '<', '|', '>', 'final', '<answer>'],
          ...['<|start|>', '<|channel|>', '<|message|>', '<|end|>', '<|return|>', 'assistant', '</answer>'],
        ),
        { maxLength: 30 },
      )
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(text, fc.infiniteStream(fc.integer({ min: 1, max: 9 })), (whole, lengths) => {
        const pieces: string[] = []
        for (let rest = whole; rest !== ''; ) {
          const length = lengths.next().value as number
          pieces.push(rest.slice(0, length))
          rest = rest.slice(length)
        }
        expect(answerOf(pieces)).toBe(answerOf([whole]))
        expect(answerOf([...whole])).toBe(answerOf([whole]))
      }),
      { numRuns: 3000 },
    )
  })
})

describe('thinking without an opening mark', () => {
  it.each([
    ['The user wants\n</think>\n\nYes.', 'Yes.'],
    ['so it is.</think>\nYes.', 'Yes.'],
    ['so it is.[/THINK] \nYes.', 'Yes.'],
    ['Only thought</think>', ''],
    ['The mark `</think>` ends it.', 'The mark `</think>` ends it.'],
    ['The mark `</think>` ends it.\n</think>\nYes.', 'Yes.'],
    ['a <think>b</think>\nc', 'a <think>b</think>\nc'],
    ['Yes.', 'Yes.'],
  ])('is removed from the complete answer %j: %j', (text, answer) => {
    expect(removeUnopenedThinking(text)).toBe(answer)
  })
})
