vim9script
# Opens links, which is all that Vim promises of window/showDocument.

const openers = ['xdg-open', 'open', 'wslview']

def Opener(): string
  return openers->copy()->filter((_, name) => executable(name) == 1)->get(0, '')
enddef

export def IsThere(): bool
  return Opener() != ''
enddef

# Whether something could be started for it.
export def Open(uri: string): bool
  const opener = Opener()
  if opener == '' || uri !~ '^https\=://'
    return false
  endif
  return job_status(job_start([opener, uri], {in_io: 'null', out_io: 'null', err_io: 'null'})) != 'fail'
enddef
