import { CommandError, type CommandInput, exitCodes } from '../command/index.ts'

/** The URL by which an API server reaches this machine, without a trailing slash. */
export function webhookUrl(input: CommandInput): string | undefined {
  const text = input.value('webhook-url')
  if (text === undefined) return undefined
  // API servers refuse URLs with a user, a query or a fragment.
  const isUrl = URL.canParse(text) && /^https:\/\/[^@?#]+$/.test(text)
  if (isUrl) return text.replace(/\/$/, '')
  throw new CommandError(`--webhook-url is ${text}, which is not an https URL`, {
    exitCode: exitCodes.usage,
    hint: 'write an address of this machine: https://laptop.example.com:9443',
  })
}

/** The default port of webhooks on this machine. */
export const webhookPortDefault = 9443
