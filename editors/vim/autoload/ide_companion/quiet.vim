vim9script
# Waits until a tab or a message does not disturb the user.

# In these modes another tab may open for a moment: Normal, Insert, Replace, a terminal.
const calm_modes = ['n', 'i', 'R', 't', 'nt']

# Flags of state().
const disturbing = 'moawxsS'

# How often to check while something waits.
const check_every_ms = 50

# The waiting actions: { IsTime, Act }, oldest first.
var waiting: list<dict<func>> = []
var checker = 0

# Whether the user has typed no part of a command: no operator, register, count, mapping, prompt or message waits for a
# key. mode() returns the mode of a terminal even while a command is typed over it.
export def IsCalm(): bool
  return index(calm_modes, mode(1)) >= 0
    && state(disturbing) == ''
    && getcmdtype() == '' && getcmdwintype() == ''
    && win_gettype() != 'popup' && !pumvisible()
enddef

# The same, and the user types into no text.
export def IsIdle(): bool
  return IsCalm() && mode(1) =~ '^[nt]'
enddef

# Acts at once, or as soon as IsTime returns true.
export def When(IsTime: func(): bool, Act: func())
  if IsTime()
    Act()
    return
  endif
  add(waiting, {IsTime: IsTime, Act: Act})
  MakeSafe()
  timer_stop(checker)
  checker = timer_start(check_every_ms, Check, {repeat: -1})
enddef

# A `:normal` in a timer leaves Vim unsafe until the next key. This key does nothing, also within a half-typed command.
def MakeSafe()
  if mode(1) == 'n' && state(disturbing) == 'S'
    feedkeys("\<Ignore>", 'n')
  endif
enddef

def Check(_: number)
  if index(calm_modes, mode(1)) < 0 || getcmdwintype() != ''
    return
  endif
  MakeSafe()
  var asked = waiting
  waiting = []
  try
    while !empty(asked)
      const each = remove(asked, 0)
      const IsTime: func(): bool = each.IsTime
      const Act: func() = each.Act
      if IsTime()
        Act()
      else
        add(waiting, each)
      endif
    endwhile
  finally
    # One may have failed.
    extend(waiting, asked)
  endtry
  if empty(waiting)
    timer_stop(checker)
  endif
enddef
