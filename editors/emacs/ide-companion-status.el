;;; ide-companion-status.el --- Mode line, environment and pausing  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Shows the status that the program sends: connected agents, open proposals,
;; and whether sharing is paused.  Sets the variables that agents need.

;;; Code:

(eval-when-compile
  (require 'subr-x))
(require 'ide-companion-custom)
(require 'ide-companion-log)
(require 'ide-companion-roots)
(require 'ide-companion-rpc)
(require 'ide-companion-text)

(defvar ide-companion--status nil "The last `companion/status'; nil when nothing runs.")
(defvar ide-companion--status-hook nil "Functions called when the status is another one.")
(defvar ide-companion--variables nil "The former values of our variables: (NAME . VALUE).")

(defvar ide-companion-lighter nil
  "The mode line: connected agents, and the number of open proposals.")
(put 'ide-companion-lighter 'risky-local-variable t)

(defun ide-companion--connected ()
  "The names of the agents that are connected."
  (mapcar (lambda (session) (plist-get session :agent))
          (plist-get ide-companion--status :sessions)))

(defun ide-companion--waiting ()
  "How many proposals wait for a decision."
  (length (plist-get ide-companion--status :diffs)))

(defun ide-companion--nothing-here ()
  "Raise an error: no proposal waits, or one that Emacs could not show.
What Emacs could not show is on the page, which is opened."
  (user-error "%s" (if (zerop (ide-companion--waiting)) "No proposal waits for your decision"
                     (ide-companion--open-page))))

(defun ide-companion--paused-p ()
  "Whether sharing is paused."
  (eq t (plist-get ide-companion--status :paused)))

(defun ide-companion--ahead-p (agent)
  "Whether the rest of a turn of AGENT is accepted."
  (member agent (append (plist-get ide-companion--status :ahead) nil)))

(defvar ide-companion--lighter-map
  (let ((map (make-sparse-keymap)))
    (define-key map [mode-line mouse-1] 'ide-companion-next-proposal)
    (define-key map [mode-line mouse-3] 'ide-companion-doctor)
    map))

(defun ide-companion--update-lighter ()
  "Update `ide-companion-lighter'."
  (let* ((line (plist-get ide-companion--status :line))
         (text (cond ((null ide-companion--status) "IDE:off")
                     ((ide-companion--connected) line)
                     (t (string-trim-right (concat "IDE " line))))))
    (setq ide-companion-lighter
          (list " " (propertize (string-replace "%" "%%" text)
                                'face (if (zerop (ide-companion--waiting)) nil 'mode-line-emphasis)
                                'mouse-face 'mode-line-highlight
                                'local-map ide-companion--lighter-map
                                'help-echo "mouse-1: next proposal\nmouse-3: doctor")))
    (force-mode-line-update t)))

(defun ide-companion-environment ()
  "The variables that lead an agent to this Emacs: (NAME . VALUE).
One of them holds a token: keep them out of logs."
  (let ((env (plist-get ide-companion--status :env)) variables)
    (while env
      (push (cons (substring (symbol-name (pop env)) 1) (pop env)) variables))
    variables))

(defun ide-companion--set-variables (variables)
  "Give VARIABLES to every program of this Emacs from now on.
This includes Eshell and buffers with a local environment."
  (let ((changes (append (seq-filter (lambda (old) (not (assoc (car old) variables)))
                                     ide-companion--variables)
                         variables)))
    (setq ide-companion--variables
          (mapcar (lambda (variable)
                    (or (assoc (car variable) ide-companion--variables)
                        (cons (car variable) (ide-companion--outer-value (car variable)))))
                  variables))
    (dolist (buffer (buffer-list))
      (when (local-variable-p 'process-environment buffer)
        (with-current-buffer buffer
          (setq process-environment
                (ide-companion--with-variables process-environment changes)))))
    ;; A function that binds it while it waits for us must not undo this.
    (set-default-toplevel-value
     'process-environment
     (ide-companion--with-variables (default-toplevel-value 'process-environment) changes))))

(defun ide-companion--outer-value (name)
  "The value of the variable NAME in the environment of Emacs, or nil."
  (let ((value (getenv-internal name (default-toplevel-value 'process-environment))))
    (and (stringp value) value)))

(defun ide-companion--with-variables (environment variables)
  "The list ENVIRONMENT with VARIABLES set in it."
  (let ((process-environment (copy-sequence environment)))
    (pcase-dolist (`(,name . ,value) variables)
      (setenv name value))
    process-environment))

(defun ide-companion--set-status (status)
  "`companion/status': STATUS is the complete current state, or nil at the end."
  (let ((was-paused (ide-companion--paused-p)))
    (setq ide-companion--status status)
    (when (and status (not (eq was-paused (ide-companion--paused-p))))
      (ide-companion--say (if was-paused "Agents receive your context again"
                            "Agents receive no context until M-x ide-companion-resume"))))
  (ide-companion--set-variables (ide-companion-environment))
  (ide-companion--update-lighter)
  (run-hooks 'ide-companion--status-hook)
  ;; What follows the end of the program must happen whatever the user's functions do.
  (ide-companion--guarded #'run-hook-with-args 'ide-companion-status-functions
                          (list :port (plist-get status :port)
                                :sessions (plist-get status :sessions)
                                :diffs (plist-get status :diffs))))

(defun ide-companion-pause ()
  "Send agents no context until `ide-companion-resume'.
This applies to all companions of the open folders, also in
other editors, and after a restart."
  (interactive)
  (ide-companion--fetch :companion/pause '(:paused t)))

(defun ide-companion-resume ()
  "Send agents the context again."
  (interactive)
  (ide-companion--fetch :companion/pause '(:paused :json-false)))

(defun ide-companion-review (&optional mode)
  "Set when you look at what agents write in the open folders.
MODE is \"before\" for before it is written, \"after\", or \"off\"
for never; anything else says what counts."
  (interactive (list (completing-read "Review (empty to ask): " '("before" "after" "off") nil t)))
  (let ((params (if (member mode '(nil "")) (make-hash-table) (list :mode mode))))
    (ide-companion--say "%s" (plist-get (ide-companion--fetch :companion/review params) :message))))

(defun ide-companion--open-page ()
  "Show what waits on the review page, and return what there is to say."
  (let ((answer (ide-companion--fetch :companion/openPage (make-hash-table))))
    (ide-companion--sentence (plist-get answer :message) answer)))

(defun ide-companion-page ()
  "Show what waits on the review page too, in your browser."
  (interactive)
  (ide-companion--say "%s" (ide-companion--open-page)))

(defun ide-companion-status ()
  "Show connected agents, open proposals, and when you review what agents write."
  (interactive)
  (ide-companion--say "%s" (or (plist-get ide-companion--status :sentence)
                               "The companion is not running.  Start it by M-x ide-companion-start")))

(provide 'ide-companion-status)
;;; ide-companion-status.el ends here
