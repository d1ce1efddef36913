/** One command of a transcript, with the output of the real kubectl. */
export interface TranscriptStep {
  /** Its line number in the file, from 1. */
  readonly line: number
  readonly command: string
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
}

/** The output and the exit code of a command. */
export type Outcome = Pick<TranscriptStep, 'stdout' | 'stderr' | 'exitCode'>

/**
 * Parses a transcript: `$ kubectl ...`, the lines of its standard output, the lines of its standard
 * error after `! `, and its exit code in brackets unless it is 0. Output without a final newline
 * ends with `%`, as in some shells.
 */
export function readTranscript(text: string): TranscriptStep[] {
  const steps: TranscriptStep[] = []
  for (const [index, line] of text.split('\n').entries()) {
    const last = steps.at(-1)
    if (line.startsWith('$ kubectl ')) {
      const command = line.slice('$ kubectl '.length)
      steps.push({ line: index + 1, command, stdout: '', stderr: '', exitCode: 0 })
    } else if (last !== undefined && !(line === '' && index === text.split('\n').length - 1)) {
      steps[steps.length - 1] = withLine(last, line)
    }
  }
  return steps
}

function withLine(step: TranscriptStep, line: string): TranscriptStep {
  const code = /^\[(\d+)\]$/.exec(line)?.[1]
  if (code !== undefined) return { ...step, exitCode: Number(code) }
  if (/^!( |$)/.test(line)) return { ...step, stderr: `${step.stderr}${line.slice(2)}\n` }
  if (line.endsWith('%')) return { ...step, stdout: `${step.stdout}${line.slice(0, -1)}` }
  return { ...step, stdout: `${step.stdout}${line}\n` }
}

/** Splits a command like a shell; transcripts need only quotes. */
export function wordsOf(command: string): string[] {
  return [...command.matchAll(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g)].map(([word]) =>
    word.replace(
      /'([^']*)'|"([^"]*)"/g,
      (_, single?: string, double?: string) => single ?? double ?? '',
    ),
  )
}

/** Replaces values that differ between runs. */
export function normalised(text: string): string {
  return text
    .replace(/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g, 'UID')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, 'TIME')
    .replace(/\b(?:\d+[smhd])+\b( *)/g, 'AGE ')
    .replace(/(resourceVersion"?: |Resource Version: +)"?\d+"?/g, '$1RV')
    .replace(/-[b-df-hj-np-tv-xz\d]{6,10}-[b-df-hj-np-tv-xz\d]{5}\b/g, '-HASH-NAME')
    .replace(/-(?=[a-z]*\d)[b-df-hj-np-tv-xz\d]{6,10}\b/g, '-HASH')
    .replace(/10\.244\.\d+\.\d+/g, 'POD-IP')
    .replace(/10\.96\.(?!0\.1\b|7\.7\b)\d+\.\d+/g, 'CLUSTER-IP')
    .replace(/node-[123]/g, 'node-N')
    .replace(/ +$/gm, '')
    .replace(/ {2,}/g, '  ')
}
