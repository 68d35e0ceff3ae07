vim9script
# The options 'autowrite' and 'autowriteall' are off in the tab of a proposal: `:make` and `:!` would accept it as `:w`
# does.

# Those that were on.
var off: list<string> = []

def ShowsProposal(): bool
  return !empty(filter(tabpagebuflist(), (_, buffer) => !empty(getbufvar(buffer, 'ide_companion'))))
enddef

# Switches them, as the current tab wants it.
export def Update()
  if ShowsProposal()
    for name in filter(['autowrite', 'autowriteall'], (_, name) => !!eval('&' .. name))
      add(off, name)
      execute 'set no' .. name
    endfor
  else
    for name in off
      execute 'set' name
    endfor
    off = []
  endif
enddef

# Follows the user from tab to tab, from now on.
export def Watch()
  augroup ide_companion_autowrite
    autocmd!
    autocmd WinEnter,BufEnter * Update()
  augroup END
enddef
