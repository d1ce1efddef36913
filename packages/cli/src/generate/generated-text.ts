const firstLine = '# Made by `setpoint generate`; changes are overwritten.'

/** Marks a file as generated: users should not edit it, and `setpoint generate` may delete it. */
export function asGenerated(text: string): string {
  return `${firstLine}\n${text}`
}

/** Whether a file was generated. */
export function isGeneratedText(text: string): boolean {
  return text.startsWith(firstLine)
}
