const firstLine = '# Made by `setpoint generate`; changes are overwritten.'

/** A generated file says so: people should not edit it, and it may be removed when nothing needs it any more. */
export function asGenerated(text: string): string {
  return `${firstLine}\n${text}`
}

/** Whether a file was generated. */
export function isGeneratedText(text: string): boolean {
  return text.startsWith(firstLine)
}
