;;; ide-companion-windows.el --- Windows of proposals  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Shows a proposal when the user can spare a window, and restores that window.

;;; Code:

(eval-when-compile
  (require 'cl-lib))
(require 'ide-companion-custom)
(require 'ide-companion-log)
(require 'ide-companion-proposal)
(require 'ide-companion-text)

(declare-function ediff-really-quit "ediff-util")
(defvar ediff-keep-variants)
(defvar ediff-window-A)
(defvar ediff-window-B)
(autoload 'ide-companion--start-ediff "ide-companion-ediff")

(defvar ide-companion--later nil
  "Calls that wait for a calm moment: (FUNCTION . ARGUMENTS), oldest first.")

(defun ide-companion--calm-p ()
  "Whether the user can spare a window.
Not in the minibuffer, in a recursive edit, in a search or within
a command, nor between its keys: it would run in another buffer than
the one in which it was begun.  Nor while the user types in a proposal
that has ended, nor without a frame that anybody sees."
  (and (null this-command)
       (let ((proposal (buffer-local-value 'ide-companion--proposal (window-buffer))))
         (or (null proposal)
             (memq proposal ide-companion--proposals)
             (not (ide-companion--typing-p proposal))))
       (equal [] (this-single-command-keys))
       (null prefix-arg)
       (zerop (recursion-depth))
       (not (buffer-local-value 'isearch-mode (window-buffer)))
       (not (and (daemonp) (eq (selected-frame) terminal-frame)))))

(defun ide-companion--when-calm (function &rest arguments)
  "Call FUNCTION with ARGUMENTS as soon as the user can spare a window."
  (setq ide-companion--later (append ide-companion--later (list (cons function arguments))))
  (ide-companion--when-calm-soon))

(defun ide-companion--when-calm-soon ()
  "Run what waits, after the current command."
  (when ide-companion--later
    (run-with-timer 0 nil #'ide-companion--do-later)))

(defun ide-companion--do-later ()
  "Run what waits, if the user can spare a window."
  (while (and ide-companion--later (ide-companion--calm-p))
    (let ((call (pop ide-companion--later)))
      (apply #'ide-companion--guarded call))))

(defun ide-companion--shown-p (proposal)
  "Whether PROPOSAL is visible."
  (get-buffer-window (ide-companion--proposal-buffer proposal) t))

(defun ide-companion--present (proposal)
  "Show the new PROPOSAL, unless another one is visible."
  (when (and (memq proposal ide-companion--proposals)
             (not (eq ide-companion-on-proposal 'message)))
    (cond
     ((eq ide-companion-on-proposal 'select)
      (ide-companion--enter proposal))
     ((eq ide-companion-diff-layout 'ediff))
     ((not (seq-some #'ide-companion--shown-p ide-companion--proposals))
      (ide-companion--display proposal)))))

(defun ide-companion--present-next ()
  "Show the oldest proposal, unless one is visible."
  (let ((rest (seq-filter (lambda (proposal)
                            (and (ide-companion--proposal-offered proposal)
                                 (not (ide-companion--proposal-deciding proposal))))
                          ide-companion--proposals)))
    (when (and rest (eq ide-companion-on-proposal 'show))
      (ide-companion--present (car rest)))))

;; The parameter `ide-companion' of a window says what to do with it when its
;; proposal closes: delete the `window', or the `frame' that was made for it, or
;; show (BUFFER START POINT) again.

(defun ide-companion--review-window ()
  "The window in which a proposal is shown by us, or nil."
  (seq-find (lambda (window)
              (and (window-parameter window 'ide-companion)
                   (buffer-local-value 'ide-companion--proposal (window-buffer window))))
            (window-list-1 nil 'no-minibuffer 'visible)))

(defun ide-companion--pop-up (buffer)
  "Display BUFFER in a window that is not selected, and return that, or nil."
  (let ((window (display-buffer buffer ide-companion-display-action)))
    (when window
      (pcase-let ((`(,type ,quad . ,_) (window-parameter window 'quit-restore)))
        (set-window-parameter window 'ide-companion
                              (cond ((and (eq type 'other) (consp quad)) quad)
                                    ((eq type 'frame) 'frame)
                                    (t 'window)))))
    window))

(defun ide-companion--display (proposal)
  "Display PROPOSAL in a window that is not selected, and return that, or nil."
  (let ((buffer (ide-companion--proposal-buffer proposal)))
    (or (get-buffer-window buffer 'visible)
        (let ((window (ide-companion--review-window)))
          (if window
              (set-window-buffer window buffer)
            (setq window (ide-companion--pop-up buffer)))
          (when window
            (ide-companion--go-to-first-change proposal window))
          window))))

(defun ide-companion--go-to-first-change (proposal window)
  "Show the first change of PROPOSAL in WINDOW."
  (let ((hunk (car (ide-companion--proposal-hunks proposal))))
    (with-selected-window window
      (goto-char (if hunk (car (ide-companion--hunk-region hunk)) (point-min)))
      ;; The replaced lines are above it, and are not counted.
      (recenter (if hunk 2 0)))))

(defvar ide-companion--from nil "The window from which the user has gone to a proposal.")

(defun ide-companion--enter (proposal)
  "Go to PROPOSAL."
  (unless (buffer-local-value 'ide-companion--proposal (window-buffer))
    (setq ide-companion--from (selected-window)))
  (if (eq ide-companion-diff-layout 'ediff)
      (ide-companion--start-ediff proposal)
    (let ((window (or (ide-companion--display proposal)
                      (progn (switch-to-buffer (ide-companion--proposal-buffer proposal))
                             (selected-window)))))
      (select-frame-set-input-focus (window-frame window))
      (select-window window))))

(defun ide-companion--enter-next (proposals)
  "Go to the one of PROPOSALS after that of this buffer, else to the first."
  (ide-companion--enter (or (cadr (memq ide-companion--proposal proposals))
                            (car proposals)
                            (ide-companion--nothing-here))))

(defun ide-companion-next-proposal ()
  "Go to the oldest proposal; from one, to the next."
  (interactive)
  (ide-companion--enter-next ide-companion--proposals))

(defun ide-companion-previous-proposal ()
  "Go to the latest proposal; from one, to the previous."
  (interactive)
  (ide-companion--enter-next (reverse ide-companion--proposals)))

(defun ide-companion--pop-to-list (list)
  "Select a window with the buffer LIST, without hiding a proposal."
  (pop-to-buffer list (if (buffer-local-value 'ide-companion--proposal (window-buffer))
                          '(nil (inhibit-same-window . t))
                        '((display-buffer-reuse-window display-buffer-same-window)))))

(defun ide-companion--restore-window (window)
  "Restore WINDOW to its state before it showed a proposal."
  (let ((before (window-parameter window 'ide-companion)))
    (set-window-parameter window 'ide-companion nil)
    (pcase before
      ((and `(,buffer ,start ,point . ,_) (guard (buffer-live-p buffer)))
       (set-window-buffer-start-and-point window buffer start point))
      ((or 'window 'frame)
       (pcase (window-deletable-p window)
         ;; It may have become the only window of the user's frame.
         ('frame (when (eq before 'frame) (delete-frame (window-frame window))))
         ('t (delete-window window)))))))

(defun ide-companion--leave (proposal)
  "Close the windows that were opened for PROPOSAL.
A user who was in one returns to the previous window."
  (ide-companion--quit-ediff proposal)
  (let ((was-inside (buffer-local-value 'ide-companion--proposal (window-buffer)))
        (selected (selected-window)))
    (dolist (window (get-buffer-window-list (ide-companion--proposal-buffer proposal) nil t))
      (ide-companion--restore-window window))
    (cond
     ((not was-inside) (when (window-live-p selected) (select-window selected 'norecord)))
     ((eq was-inside proposal)
      (when (window-live-p ide-companion--from) (select-window ide-companion--from))
      (setq ide-companion--from nil)))))

(defun ide-companion--quit-ediff (proposal)
  "End the Ediff session of PROPOSAL, if any, without a question.
A user who has left it keeps their windows."
  (let ((control (ide-companion--proposal-ediff proposal))
        (was-inside (eq proposal (buffer-local-value 'ide-companion--proposal (window-buffer)))))
    (setf (ide-companion--proposal-ediff proposal) nil)
    (when (buffer-live-p control)
      (with-current-buffer control
        (let ((ediff-keep-variants t)
              (layout (mapcar #'current-window-configuration (frame-list)))
              (windows (list ediff-window-A ediff-window-B)))
          (ediff-really-quit nil)
          (unless was-inside
            (dolist (each layout)
              (set-window-configuration each t)) ; without selecting its frame
            (mapc #'ide-companion--delete-ediff-window windows)))))))

(defun ide-companion--delete-ediff-window (window)
  "Delete WINDOW of an Ediff session, if a proposal is still there."
  (when (and (window-live-p window)
             (buffer-local-value 'ide-companion--proposal (window-buffer window))
             (eq t (window-deletable-p window)))
    (delete-window window)))

(provide 'ide-companion-windows)
;;; ide-companion-windows.el ends here
