/** The marks around a text that a model writes. */
export type Marks = readonly [open: string, close: string]

/** Around the thinking before an answer. No opening mark begins with another one. */
export const THINKING_MARKS: readonly Marks[] = [
  // DeepSeek, Qwen, GLM, Nemotron, OLMo, MiniMax, ERNIE, Hunyuan and most others
  ['<think>', '</think>'],
  ['<thinking>', '</thinking>'],
  ['<thought>', '</thought>'],
  ['<reasoning>', '</reasoning>'],
  // Magistral and Ministral
  ['[THINK]', '[/THINK]'],
  // Seed-OSS
  ['<seed:think>', '</seed:think>'],
  // LongCat
  ['<longcat_think>', '</longcat_think>'],
  // Kimi
  ['◁think▷', '◁/think▷'],
  // OpenThinker, Sky-T1
  ['<|begin_of_thought|>', '<|end_of_thought|>'],
  // Command A
  ['<|START_THINKING|>', '<|END_THINKING|>'],
  // Gemma 4
  ['<|channel>', '<channel|>'],
  // Apertus
  ['<|inner_prefix|>', '<|inner_suffix|>'],
]

/** Around the answer itself. */
export const ANSWER_MARKS: readonly Marks[] = [
  ['<|begin_of_solution|>', '<|end_of_solution|>'],
  ['<|START_RESPONSE|>', '<|END_RESPONSE|>'],
  ['<|START_TEXT|>', '<|END_TEXT|>'],
]

/** The same, but only after thinking. Elsewhere they can be a part of the answer. */
export const ANSWER_MARKS_AFTER_THINKING: readonly Marks[] = [
  // Hunyuan
  ['<answer>', '</answer>'],
  // ERNIE
  ['<response>', '</response>'],
]

/**
 * The format of gpt-oss (Harmony): messages, each on a channel, of which `final` is the answer and the others are not.
 * `<|channel|>analysis<|message|>…<|end|><|start|>assistant<|channel|>final<|message|>…<|return|>`
 */
export const HARMONY = {
  /** Begin the header of a message. */
  starts: ['<|start|>', '<|channel|>'],
  channel: '<|channel|>',
  /** Ends the header. */
  message: '<|message|>',
  ends: ['<|end|>', '<|return|>', '<|call|>'],
  answerChannel: 'final',
} as const

/** Some servers leave out the marks of Harmony, so that only the words between them remain. */
export const HARMONY_WITHOUT_MARKS = { thinking: 'analysis', answer: 'assistantfinal' } as const
