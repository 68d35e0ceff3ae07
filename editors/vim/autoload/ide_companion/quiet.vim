vim9script
# When something may be opened or said without the user losing what they are at.

# Another tab may be opened for a moment in these: Normal, Insert, Replace, a terminal.
const calm_modes = ['n', 'i', 'R', 't', 'nt']

# As state() has them.
const disturbing = 'moawxsS'

# Not every moment is told by an event: while something waits, it is looked for as well.
const look_every_ms = 200

# What waits for its moment: { IsTime, Act }, oldest first.
var waiting: list<dict<func>> = []
var looking = 0

# Nothing is half typed: no operator, register, count, mapping, prompt or message that waits for a key.
# In a terminal its mode is told even while a command is typed over it.
export def IsCalm(): bool
  return index(calm_modes, mode(1)) >= 0
    && state(disturbing) == ''
    && getcmdtype() == '' && getcmdwintype() == ''
    && win_gettype() != 'popup' && !pumvisible()
enddef

# At once, or when the user is done with a selection, an operator, the command line or a prompt.
export def WhenCalm(Act: func())
  When(IsCalm, Act)
enddef

# At once, or as soon as IsTime says so, which is asked whenever the user is done with something.
export def When(IsTime: func(): bool, Act: func())
  if IsTime()
    Act()
    return
  endif
  add(waiting, {IsTime: IsTime, Act: Act})
  MakeSafe()
  augroup ide_companion_quiet
    autocmd!
    autocmd ModeChanged,SafeState,CmdwinLeave,WinEnter * Soon()
  augroup END
  timer_stop(looking)
  looking = timer_start(look_every_ms, Look, {repeat: -1})
enddef

# A `:normal` in somebody's timer leaves Vim unsafe until the next key. This one does nothing, neither in a command
# that is half typed.
def MakeSafe()
  if mode(1) == 'n' && state(disturbing) == 'S'
    feedkeys("\<Ignore>", 'n')
  endif
enddef

# Not in the autocommand itself: there, windows may not be opened.
def Soon()
  if IsPossible()
    timer_start(0, Work)
  endif
enddef

def Look(_: number)
  if IsPossible()
    MakeSafe()
    Work(0)
  endif
enddef

def IsPossible(): bool
  return index(calm_modes, mode(1)) >= 0 && getcmdwintype() == ''
enddef

def Work(_: number)
  const asked = waiting
  waiting = []
  for each in asked
    const IsTime: func(): bool = each.IsTime
    const Act: func() = each.Act
    if IsTime()
      Act()
    else
      add(waiting, each)
    endif
  endfor
  if empty(waiting)
    autocmd! ide_companion_quiet
    timer_stop(looking)
  endif
enddef
