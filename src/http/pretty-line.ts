/** A line of the log as a person reads it: `12:00:01 GET /api/stories/1 200 3 ms`. */
export function prettyLine(line: string): string {
  const { level, time, message, ...facts } = JSON.parse(line) as Record<string, unknown>
  const clock = String(time).slice(11, 19)
  const mark = level === 'info' ? '' : `${String(level).toUpperCase()} `
  const said = message === 'request' ? requestText(facts) : `${String(message)}${restText(facts)}`
  return `${plain(`${clock} ${mark}${said}`)}\n`
}

function requestText({ method, path, status, durationMs, caller, code, aborted }: Record<string, unknown>): string {
  const end = aborted ? 'left before the end' : String(status)
  return [`${method} ${path} ${end} ${durationMs} ms`, caller, code].filter(Boolean).join('  ')
}

function restText({ cause, ...facts }: Record<string, unknown>): string {
  const rest = Object.entries(facts).map(
    ([name, value]) => ` ${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  const stack = (cause as { stack?: unknown } | undefined)?.stack
  return rest.join('') + (typeof stack === 'string' ? `\n${stack}` : '')
}

/** What a request brought along must not command the terminal. */
function plain(text: string): string {
  return text.replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '�')
}
