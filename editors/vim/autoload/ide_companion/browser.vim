vim9script
# Opens links. Vim supports no other document of window/showDocument.

const openers = ['xdg-open', 'open', 'wslview']

def Opener(): string
  return openers->copy()->filter((_, name) => executable(name) == 1)->get(0, '')
enddef

export def IsThere(): bool
  return Opener() != ''
enddef

# Returns whether a program could be started.
export def Open(uri: string): bool
  const opener = Opener()
  if opener == '' || uri !~ '^https\=://'
    return false
  endif
  return job_status(job_start([opener, uri], {in_io: 'null', out_io: 'null', err_io: 'null'})) != 'fail'
enddef
