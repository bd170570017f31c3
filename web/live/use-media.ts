import { useEffect, useState } from 'preact/hooks'

/** Whether a media query holds, and again when that changes. */
export function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(query).matches)
  useEffect(() => {
    const media = matchMedia(query)
    const read = (): void => setMatches(media.matches)
    read()
    media.addEventListener('change', read)
    return () => media.removeEventListener('change', read)
  }, [query])
  return matches
}

/** The one width at which the page changes its shape; the style sheet has the same. */
export const usePhone = (): boolean => useMedia('(max-width: 700px)')
