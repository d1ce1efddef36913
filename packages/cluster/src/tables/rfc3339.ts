const form =
  /^(\d{4})-(\d\d)-(\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-4]):[0-5]\d)$/

/** Whether a string is a time in Go's RFC 3339; Date.parse accepts more, even 30 February. */
export function isRfc3339(text: string): boolean {
  const match = form.exec(text)
  if (match === null) return false
  const [year, month, day] = match.slice(1, 4).map(Number) as [number, number, number]
  if (month < 1 || month > 12 || day < 1) return false
  const lastDay = new Date(0)
  lastDay.setUTCFullYear(year, month, 0)
  return day <= lastDay.getUTCDate()
}
