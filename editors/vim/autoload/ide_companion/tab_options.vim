vim9script
# Options with another value in a tab that shows a text of this plugin. 'autowrite' and 'autowriteall' are off: `:make`
# and `:!` would accept a proposal as `:w` does. 'diffopt' hides no difference.

# Switches that were on, and values that 'diffopt' had.
var switches: list<string> = []
var flags: list<string> = []

def IsOurs(): bool
  return !empty(filter(tabpagebuflist(), (_, buffer) => !empty(getbufvar(buffer, 'ide_companion_text'))))
enddef

# Switches them, as the current tab wants it.
export def Update()
  if IsOurs()
    for name in filter(['autowrite', 'autowriteall'], (_, name) => !!eval('&' .. name))
      add(switches, name)
      execute 'set no' .. name
    endfor
    for flag in split(&diffopt, ',')->filter((_, flag) => flag =~ '^\%(iblank\|icase\|iwhite\)')
      add(flags, flag)
      execute 'set diffopt-=' .. flag
    endfor
  else
    for name in switches
      execute 'set' name
    endfor
    if !empty(flags)
      execute 'set diffopt+=' .. join(flags, ',')
    endif
    switches = []
    flags = []
  endif
enddef

# Follows the user from tab to tab, from now on.
export def Watch()
  augroup ide_companion_tab_options
    autocmd!
    autocmd WinEnter,BufEnter * Update()
  augroup END
enddef
