vim9script
# What the companion stores until the user has decided about it: recovered edits, and comments that wait.

import autoload 'ide_companion/roots.vim'
import autoload 'ide_companion/say.vim'
import autoload 'ide_companion/server.vim'

# Sends a request. OnResult gets the result; a failure is shown.
export def Request(method: string, params: dict<any>, OnResult: func(any))
  server.Request(method, params, (result, failure) => {
    if failure != null
      say.Error(failure.message)
    else
      OnResult(result)
    endif
  })
enddef

def IsHere(one: dict<any>): bool
  for root in roots.Current()
    if stridx(one.filePath, root .. '/') == 0
      return true
    endif
  endfor
  return false
enddef

# Shows at the start what an earlier Vim or companion has left for this project, as after a crash: the request `method`
# lists it under `key`. AnnounceOne gets the only one; `several` is a message with %d.
export def Announce(method: string, key: string, AnnounceOne: func(dict<any>), several: string)
  server.Request(method, {}, (result, failure) => {
    const all: list<dict<any>> = failure == null ? result[key] : []
    const here = all->copy()->filter((_, one) => IsHere(one))
    if len(here) == 1
      AnnounceOne(here[0])
    elseif len(here) > 1
      say.Warn(printf(several, len(here)))
    endif
  })
enddef

def ToLine(one: dict<any>): string
  const time = strftime('%d %b %H:%M', one.at / 1000)
  return printf('%s  %s, %s: %s', one.label, one.agent, time, get(one, 'reason', get(one, 'text', '')))
enddef

# Shows lines. Act gets the index of the one that the user chooses.
export def Menu(lines: list<string>, title: string, Act: func(number))
  popup_menu(lines, {
    title: printf(' %s ', title),
    callback: (_, choice) => {
      if choice > 0
        Act(choice - 1)
      endif
    },
  })
enddef

# Lets the user choose one of several; the only one needs no choice. `none` is the message when there is none.
export def Choose(all: list<dict<any>>, title: string, none: string, Act: func(dict<any>))
  if empty(all)
    say.Info(none)
  elseif len(all) == 1
    Act(all[0])
  else
    Menu(mapnew(all, (_, one) => ToLine(one)), title, (index) => {
      Act(all[index])
    })
  endif
enddef

# Compiled later, in a callback, the lines of a lambda would scroll the screen.
defcompile
