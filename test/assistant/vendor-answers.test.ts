import { describe, expect, it } from 'vitest'
import { suggest } from '../../src/kernel'
import { all, hello, never } from './model-server'
import { answering, type RawRequest } from './raw-server'

/**
 * Answers as the vendors write them, with where each is from: an issue or a file of a repository that has it verbatim, or the schema or page
 * that describes it.
 */

const CHAT = '/v1/chat/completions'
const list = { text: '{"object":"list","data":[{"id":"one","object":"model"}]}' }
const streamed = (...chunks: string[]) => ({
  headers: { 'content-type': 'text/event-stream' },
  text: `${chunks.map((chunk) => `data: ${chunk}\n\n`).join('')}data: [DONE]\n\n`,
})
const refusedWith = (status: number, text: string) => ({
  status,
  headers: { 'content-type': 'application/json' },
  text,
})
const openaiChat = (chat: Parameters<typeof answering>[1][string], models = list) =>
  answering('openai', { '/v1/models': models, [CHAT]: chat })
const schema = { type: 'object', properties: { a: { type: 'string' } } }

describe('a refusal', () => {
  it.each([
    [
      // platform.openai.com/docs/api-reference/chat-streaming, CreateChatCompletionStreamResponse: delta.refusal
      'in pieces (OpenAI)',
      streamed(
        '{"id":"chatcmpl-123","object":"chat.completion.chunk","created":1694268190,"model":"gpt-4o-mini","system_fingerprint":"fp_44709d6fcb","choices":[{"index":0,"delta":{"role":"assistant","content":null,"refusal":""},"logprobs":null,"finish_reason":null}]}',
        '{"id":"chatcmpl-123","object":"chat.completion.chunk","created":1694268190,"model":"gpt-4o-mini","system_fingerprint":"fp_44709d6fcb","choices":[{"index":0,"delta":{"refusal":"I\'m sorry, I cannot"},"logprobs":null,"finish_reason":null}]}',
        '{"id":"chatcmpl-123","object":"chat.completion.chunk","created":1694268190,"model":"gpt-4o-mini","system_fingerprint":"fp_44709d6fcb","choices":[{"index":0,"delta":{"refusal":" assist with that request."},"logprobs":null,"finish_reason":null}]}',
        '{"id":"chatcmpl-123","object":"chat.completion.chunk","created":1694268190,"model":"gpt-4o-mini","system_fingerprint":"fp_44709d6fcb","choices":[{"index":0,"delta":{},"logprobs":null,"finish_reason":"stop"}]}',
      ),
    ],
    [
      // platform.openai.com/docs/guides/structured-outputs, "Refusals"
      'as a whole (OpenAI)',
      {
        text: '{"id":"chatcmpl-9nYAG9LPNonX8DAyrkwYfemr3C8HC","object":"chat.completion","created":1721596428,"model":"gpt-4o-2024-08-06","choices":[{"index":0,"message":{"role":"assistant","refusal":"I\'m sorry, I cannot assist with that request."},"logprobs":null,"finish_reason":"stop"}],"usage":{"prompt_tokens":81,"completion_tokens":11,"total_tokens":92}}',
      },
    ],
    [
      // OpenAI's OpenAPI, ChatCompletionRequestMessageContentPartRefusal
      'as a part of the content (OpenAI)',
      streamed(
        '{"choices":[{"index":0,"delta":{"content":[{"type":"refusal","refusal":"I\'m sorry, I cannot assist with that request."}]},"finish_reason":"stop"}]}',
      ),
    ],
  ])('%s is an error with its text', async (_, chat) => {
    const model = await openaiChat(chat)
    const refusal = {
      code: 'llm_refused',
      message: "The language model refused to answer: I'm sorry, I cannot assist with that request.",
      hint: expect.arrayContaining([suggest('llm.models')]),
    }
    await expect(model.chat(hello, never)).rejects.toMatchObject(refusal)
    await expect(all(model.stream({ ...hello, schema }, never))).rejects.toMatchObject(refusal)
  })

  it.each([
    [
      // learn.microsoft.com/azure/ai-foundry/openai/concepts/content-filter, "Content filtering triggered in the completion"
      'of the answer (Azure OpenAI)',
      streamed(
        '{"choices":[],"prompt_filter_results":[{"prompt_index":0,"content_filter_results":{"hate":{"filtered":false,"severity":"safe"}}}]}',
        '{"choices":[{"index":0,"delta":{"content":"First, take"},"finish_reason":null}]}',
        '{"choices":[{"index":0,"delta":{},"finish_reason":"content_filter","content_filter_results":{"violence":{"filtered":true,"severity":"medium"}}}]}',
      ),
      /^The content filter of the server stopped the answer\.$/,
    ],
    [
      // github.com/openai/openai-python/issues/331 and github.com/openai/openai-dotnet/issues/55
      'of the prompt (Azure OpenAI)',
      refusedWith(
        400,
        '{"error":{"message":"The response was filtered due to the prompt triggering Azure OpenAI\'s content management policy. Please modify your prompt and retry.","type":null,"param":"prompt","code":"content_filter","status":400,"innererror":{"code":"ResponsibleAIPolicyViolation","content_filter_result":{"sexual":{"filtered":true,"severity":"high"}}}}}',
      ),
      /stopped the answer: The response was filtered due to the prompt/,
    ],
  ])('of a content filter, %s, is an error', async (_, chat, message) => {
    const asked: RawRequest[] = []
    const model = await answering('openai', { '/v1/models': list, [CHAT]: chat }, null, { asked })
    await expect(model.chat({ ...hello, schema }, never)).rejects.toMatchObject({
      code: 'llm_refused',
      message: expect.stringMatching(message),
    })
    expect(asked.filter(({ path }) => path === CHAT)).toHaveLength(1)
  })
})

describe('thinking in a field of its own', () => {
  it.each([
    ['reasoning_content (llama.cpp, DeepSeek)', '{"choices":[{"index":0,"delta":{"reasoning_content":"Hm."}}]}'],
    // docs.vllm.ai/en/latest/features/reasoning_outputs.html: `reasoning` since 0.12
    ['reasoning (vLLM, Ollama, OpenRouter)', '{"choices":[{"index":0,"delta":{"content":null,"reasoning":"Hm."}}]}'],
    // github.com/BerriAI/litellm/issues/16272, magistral-medium-2509
    [
      'a part of the content (Mistral)',
      '{"id":"c3c77283055240cbbaf6f01d384cfccb","object":"chat.completion.chunk","created":1762355135,"model":"magistral-medium-2509","choices":[{"index":0,"delta":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"\'s a greeting"}]}]},"finish_reason":null}]}',
    ],
  ])('is not shown, and alone is no answer: %s', async (_, thought) => {
    const end = '{"choices":[{"index":0,"delta":{"content":""},"finish_reason":"stop"}]}'
    const model = await openaiChat(streamed(thought, end))
    await expect(model.chat(hello, never)).rejects.toMatchObject({
      code: 'llm_answer',
      message: 'The language model wrote only its thinking, and no answer.',
    })
    const both = await openaiChat(streamed(thought, '{"choices":[{"index":0,"delta":{"content":"Yes."}}]}', end))
    expect(await both.chat(hello, never)).toMatchObject({ text: 'Yes.', complete: true })
  })

  it('in an answer as a list of parts leaves its text (Mistral)', async () => {
    // docs.mistral.ai/capabilities/reasoning, "Full reasoning output"
    const model = await openaiChat({
      text: '{"id":"chatcmpl-1","object":"chat.completion","model":"magistral-medium-latest","choices":[{"index":0,"message":{"role":"assistant","tool_calls":null,"content":[{"type":"thinking","thinking":[{"type":"text","text":"Okay, so."}],"closed":true},{"type":"text","text":"John is "},{"type":"reference","reference_ids":[1]},{"type":"text","text":"39."}]},"finish_reason":"stop"}],"usage":{"prompt_tokens":20,"completion_tokens":9,"total_tokens":29}}',
    })
    expect(await model.chat(hello, never)).toMatchObject({ text: 'John is 39.', responseTokens: 9 })
  })
})

describe('a server that refuses a schema', () => {
  const answer = streamed('{"choices":[{"index":0,"delta":{"content":"{\\"a\\":\\"b\\"}"},"finish_reason":"stop"}]}')
  const refusals = [
    // github.com/llm-exe/llm-exe/issues/662
    [
      'DeepSeek',
      400,
      '{"error":{"message":"This response_format type is unavailable now","type":"invalid_request_error","param":null,"code":"invalid_request_error"}}',
    ],
    // github.com/browser-use/browser-use/pull/215
    [
      'DeepSeek, before',
      422,
      'Failed to deserialize the JSON body into the target type: response_format: response_format.type `json_schema` is unavailable now at line 1 column 12440',
    ],
    // github.com/lmstudio-ai/lmstudio-bug-tracker/issues/307
    ['LM Studio', 400, '{"error":"\'response_format.type\' must be \'json_schema\'"}'],
    // github.com/ggml-org/llama.cpp, tools/server/server-common.cpp: format_error_response
    [
      'llama.cpp',
      501,
      '{"error":{"code":501,"message":"This server does not support response_format","type":"not_supported_error"}}',
    ],
    ['a server that says nothing', 400, ''],
  ] as const

  it.each(refusals)('is asked again without it, and then never with it: %s', async (_, status, text) => {
    const asked: RawRequest[] = []
    const chat = ({ body }: RawRequest) => (body.response_format ? refusedWith(status, text) : answer)
    const model = await answering('openai', { '/v1/models': list, [CHAT]: chat }, null, { asked })
    expect(await model.chat({ ...hello, schema }, never)).toMatchObject({ text: '{"a":"b"}' })
    expect(await model.chat({ ...hello, schema }, never)).toMatchObject({ text: '{"a":"b"}' })
    const chats = asked.filter(({ path }) => path === CHAT)
    expect(chats.map(({ body }) => body.response_format !== undefined)).toEqual([true, false, false])
    const { response_format: _format, ...rest } = chats[0]!.body
    expect(chats[1]!.body).toEqual(rest)
  })

  it('is asked again by the ollama API, of which older servers know only the format json', async () => {
    // github.com/ollama/ollama, api/types.go before 0.5.0: Format string
    const asked: RawRequest[] = []
    const chat = ({ body }: RawRequest) =>
      typeof body.format === 'object'
        ? refusedWith(
            400,
            '{"error":"json: cannot unmarshal object into Go struct field ChatRequest.format of type string"}',
          )
        : { text: '{"message":{"content":"{}"},"done":true}' }
    const paths = { '/api/tags': { text: '{"models":[{"name":"one:latest"}]}' }, '/api/chat': chat }
    const model = await answering('ollama', paths, null, { asked })
    expect(await model.chat({ ...hello, schema }, never)).toMatchObject({ text: '{}' })
    expect(await model.chat({ ...hello, schema }, never)).toMatchObject({ text: '{}' })
    const chats = asked.filter(({ path }) => path === '/api/chat')
    expect(chats.map(({ body }) => body.format !== undefined)).toEqual([true, false, false])
  })

  it('is remembered by model, because a gateway has models that do not refuse it', async () => {
    const asked: RawRequest[] = []
    const models = { text: '{"object":"list","data":[{"id":"old"},{"id":"new"}]}' }
    const chat = ({ body }: RawRequest) =>
      body.response_format && body.model === 'old' ? refusedWith(400, '{"error":"no"}') : answer
    const model = await answering('openai', { '/v1/models': models, [CHAT]: chat }, null, { asked })
    for (const name of ['old', 'new', 'old', 'new']) await model.chat({ ...hello, schema, model: name }, never)
    const chats = asked.filter(({ path }) => path === CHAT)
    expect(chats.map(({ body }) => [body.model, body.response_format !== undefined])).toEqual([
      ['old', true],
      ['old', false],
      ['new', true],
      ['old', false],
      ['new', true],
    ])
  })

  it.each([
    [
      'the prompt is too long',
      400,
      '{"error":{"message":"x","type":"exceed_context_size_error","code":400}}',
      'prompt_too_long',
      1,
    ],
    ['the token is rejected', 401, '{"error":"Unauthorized"}', 'llm_token', 1],
    ['it fails', 500, '{"error":{"message":"response_format"}}', 'llm_answer', 1],
    [
      'another field is wrong',
      422,
      '{"detail":[{"type":"missing","loc":["body","messages"],"msg":"Field required"}]}',
      'llm_answer',
      1,
    ],
    ['it refuses the request without the schema too', 400, '{"error":{"message":"bad"}}', 'llm_answer', 2],
  ])('is not taken for one if %s', async (_, status, text, code, requests) => {
    const asked: RawRequest[] = []
    const model = await answering('openai', { '/v1/models': list, [CHAT]: refusedWith(status, text) }, null, { asked })
    await expect(model.chat({ ...hello, schema }, never)).rejects.toMatchObject({ code })
    expect(asked.filter(({ path }) => path === CHAT)).toHaveLength(requests)
    await expect(model.chat({ ...hello, schema }, never)).rejects.toMatchObject({ code })
    expect(asked.filter(({ path }) => path === CHAT)).toHaveLength(2 * requests)
  })
})

describe('a model that the server does not have', () => {
  it.each([
    // github.com/vllm-project/vllm/issues/3485
    [
      'vLLM, flat',
      404,
      '{"object":"error","message":"The model `Qwen1.5-14B-Chat-GPTQ-Int8` does not exist.","type":"NotFoundError","param":null,"code":404}',
    ],
    // github.com/vllm-project/vllm, vllm/entrypoints/openai/engine/protocol.py: ErrorResponse
    [
      'vLLM, nested',
      404,
      '{"error":{"message":"The model `x` does not exist.","type":"NotFoundError","param":"model","code":404}}',
    ],
    // platform.openai.com/docs/guides/error-codes
    [
      'OpenAI',
      404,
      '{"error":{"message":"The model `x` does not exist or you do not have access to it.","type":"invalid_request_error","param":null,"code":"model_not_found"}}',
    ],
    // github.com/BerriAI/litellm, litellm/proxy: the check of the model
    [
      'LiteLLM',
      400,
      '{"error":{"message":"/chat/completions: Invalid model name passed in model=x. Call `/v1/models` to view available models for your key.","type":"invalid_request_error","param":"None","code":"400"}}',
    ],
    // The shape of Mistral's errors
    [
      'Mistral',
      400,
      '{"object":"error","message":"Invalid model: x","type":"invalid_model","param":null,"code":"1500"}',
    ],
  ])('is reported as such: %s', async (_, status, text) => {
    const model = await openaiChat(refusedWith(status, text), { text: '{"object":"list","data":[]}' })
    await expect(model.chat({ ...hello, model: 'x' }, never)).rejects.toMatchObject({
      code: 'llm_model_missing',
      message: expect.stringContaining('The model x is not installed'),
    })
  })

  it('is not what a server means that has no such path (FastAPI)', async () => {
    const model = await openaiChat(refusedWith(404, '{"detail":"Not Found"}'), { text: '{"object":"list","data":[]}' })
    await expect(model.chat({ ...hello, model: 'x' }, never)).rejects.toMatchObject({
      code: 'llm_unavailable',
      hint: expect.stringContaining('STUDIO_LLM_API'),
    })
  })
})

describe('a prompt that is longer than the context', () => {
  it.each([
    // platform.openai.com/docs/guides/error-codes
    [
      'OpenAI',
      '{"error":{"message":"This model\'s maximum context length is 8192 tokens. However, your messages resulted in 9412 tokens. Please reduce the length of the messages.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}',
    ],
    [
      'vLLM, flat',
      '{"object":"error","message":"This model\'s maximum context length is 4096 tokens. However, you requested 5000 tokens in the messages, Please reduce the length of the messages.","type":"BadRequestError","param":null,"code":400}',
    ],
    // github.com/vllm-project/vllm, the input processor
    [
      'vLLM, nested',
      '{"error":{"message":"The decoder prompt (length 5951) is longer than the maximum model length of 4096. Make sure that `max_model_len` is no smaller than the number of text tokens.","type":"BadRequestError","param":null,"code":400}}',
    ],
    // github.com/ggml-org/llama.cpp, tools/server: send_error
    [
      'llama.cpp',
      '{"error":{"code":400,"message":"request (13392 tokens) exceeds the available context size (8192 tokens), try increasing it","type":"exceed_context_size_error","n_prompt_tokens":13392,"n_ctx":8192}}',
    ],
    [
      'LiteLLM',
      '{"error":{"message":"litellm.ContextWindowExceededError: litellm.BadRequestError: too many tokens","type":null,"param":null,"code":"400"}}',
    ],
    // github.com/ollama/ollama, llm/llama_server.go
    [
      'Ollama',
      '{"error":"the prompt is longer than the context length currently available to the model; shorten the prompt, adjust the context length in settings, or use a model with a longer context length"}',
    ],
    // lmstudio.ai, the log of an overflow
    [
      'LM Studio',
      '{"error":"Trying to keep the first 4999 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough."}',
    ],
  ])('is reported with what to do: %s', async (_, text) => {
    const expected = {
      code: 'prompt_too_long',
      message: expect.stringContaining("The prompt is longer than the model's context: "),
      hint: expect.arrayContaining([expect.stringContaining('Shorten the prompt')]),
    }
    await expect((await openaiChat(refusedWith(400, text))).chat(hello, never)).rejects.toMatchObject(expected)
    const late = streamed(text.startsWith('{"object"') ? `{"error":${text}}` : text)
    await expect((await openaiChat(late)).chat(hello, never)).rejects.toMatchObject(expected)
  })
})

describe('an answer that ends early', () => {
  const ending = (reason: string, usage: string, text = 'Once upon') =>
    streamed(
      `{"choices":[{"index":0,"delta":{"content":"${text}"}}]}`,
      `{"choices":[{"index":0,"delta":{},"finish_reason":"${reason}"}]}`,
      `{"choices":[],"usage":${usage}}`,
    )
  // docs.vllm.ai, ModelCard: max_model_len
  const vllm = {
    text: '{"object":"list","data":[{"id":"one","object":"model","owned_by":"vllm","max_model_len":4096}]}',
  }
  // github.com/ggml-org/llama.cpp, tools/server/README.md: meta, with the context of the server
  const llama = {
    text: '{"object":"list","data":[{"id":"one","owned_by":"llamacpp","meta":{"n_ctx":4096,"n_ctx_train":131072,"n_params":8030261312,"size":4912898304}}]}',
  }

  it.each([
    [
      'vLLM',
      vllm,
      'length',
      '{"prompt_tokens":96,"completion_tokens":4000}',
      /filled the model's context of 4096 tokens.*Shorten the prompt/,
    ],
    [
      'llama.cpp',
      llama,
      'length',
      '{"prompt_tokens":96,"completion_tokens":3999}',
      /filled the model's context of 4096 tokens.*Shorten the prompt/,
    ],
    [
      'vLLM',
      vllm,
      'length',
      '{"prompt_tokens":96,"completion_tokens":512}',
      /the server's limit of 512 tokens for one answer.*shorter answer/,
    ],
    [
      'a server that does not report its context',
      list,
      'length',
      '{"prompt_tokens":96,"completion_tokens":512}',
      /limit for one answer, or the end of the model's context/,
    ],
    ['a server that does not count', vllm, 'length', 'null', /limit for one answer, or the end of the model's context/],
    // github.com/mistralai/client-python, ChatCompletionChoice: finish_reason
    [
      'Mistral',
      list,
      'model_length',
      '{"prompt_tokens":32424,"completion_tokens":344,"total_tokens":32768}',
      /filled the model's context\. Shorten the prompt/,
    ],
  ])('says whether the context was full: %s', async (_, models, reason, usage, notice) => {
    const model = await openaiChat(ending(reason, usage), models)
    expect(await model.chat(hello, never)).toMatchObject({
      text: 'Once upon',
      complete: false,
      notice: expect.stringMatching(notice),
    })
  })

  it.each([
    // api-docs.deepseek.com/api/create-chat-completion: finish_reason
    'insufficient_system_resource',
    // github.com/vllm-project/vllm, vllm/v1/engine: FINISH_REASON_STRINGS
    'abort',
    'error',
    'repetition',
  ])('because the server failed is an error: %s', async (reason) => {
    const model = await openaiChat(ending(reason, 'null'))
    await expect(model.chat(hello, never)).rejects.toMatchObject({
      code: 'llm_answer',
      message: expect.stringContaining(reason),
    })
  })
})
